//! One line of JavaScript that brings the word which probes call.
//!
//! Most processes get it from `NODE_OPTIONS`, and what runs in a realm of its own from the helper. A process that a test starts with an
//! empty environment does not; without the word its woven code would fail.

use crate::runner::{Request, asked};

/// An expression of a function that leaves a realm as it is which knows the word.
pub fn prelude(request: &Request) -> Option<String> {
    let folder = asked::hits_folder(request.folder);
    let folder = serde_json::to_string(&format!("{}/", folder.display())).ok()?;
    let record = "((f,d,s)=>n=>{if(!s.has(n)){s.add(n);try{f.appendFileSync(d+process.pid+\"-p\",n+\"\\n\")}catch{}}})";
    let files = "process.getBuiltinModule?process.getBuiltinModule(\"fs\"):require(\"fs\")";
    request.reach.then(|| format!("globalThis._mu_??={record}({files},{folder},new Set)"))
}
