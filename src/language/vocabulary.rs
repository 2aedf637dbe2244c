//! The words in which a grammar says what a node is.
//!
//! A grammar's `nodes.scm` captures nodes under these names; rules attack them, guards ask for them. A name that is not listed here is
//! an error when the grammar is loaded, so a slip of the pen cannot silence a rule. The words are explained by example in
//! `grammars/README.md`.

/// One word of the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role(u8);

impl Role {
    /// The role of a capture name; every `arid.…` name has the same one.
    pub fn named(name: &str) -> Option<Role> {
        if name.starts_with("arid.") {
            return Some(ARID);
        }
        WORDS.iter().position(|word| *word == name).map(|at| Role(at as u8))
    }

    pub fn name(self) -> &'static str {
        WORDS[self.0 as usize]
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The roles of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(u128);

impl Roles {
    pub fn has(self, role: Role) -> bool {
        self.0 & (1 << role.0) != 0
    }

    pub fn add(&mut self, role: Role) {
        self.0 |= 1 << role.0;
    }
}

macro_rules! vocabulary {
    ($($constant:ident = $name:literal,)*) => {
        /// Every name a grammar may use, apart from `_…` (private to a pattern).
        pub const WORDS: &[&str] = &[$($name),*];
        vocabulary!(@number 0u8; $($constant,)*);
    };
    (@number $at:expr; $constant:ident, $($rest:ident,)*) => {
        pub const $constant: Role = Role($at);
        vocabulary!(@number $at + 1; $($rest,)*);
    };
    (@number $at:expr;) => {};
}

vocabulary! {
    ARID = "arid",
    SKIP = "skip",
    COMMENT = "comment",
    // scopes
    FUNCTION = "function",
    FUNCTION_NAME = "function.name",
    FUNCTION_RESULT = "function.result",
    FUNCTION_RESULTS = "function.results",
    FUNCTION_BODY = "function.body",
    FUNCTION_STATIC = "function.static",
    FUNCTION_PARAMETERS = "function.parameters",
    PARAMETER_TYPE = "parameter.type",
    CLASS = "class",
    CLASS_NAME = "class.name",
    CONSTRUCTOR = "constructor",
    ACCESSOR_GET = "accessor.get",
    ACCESSOR_SET = "accessor.set",
    DECORATED = "decorated",
    LAMBDA = "lambda",
    YIELD = "yield",
    // the shape of the code
    BLOCK = "block",
    PARENTHESES = "parentheses",
    INSIDE = "inside",
    BINDS = "binds",
    BRANCH = "branch",
    BRANCH_PART = "branch.part",
    LOOP = "loop",
    LOOP_FINITE = "loop.finite",
    LOOP_STEP = "loop.step",
    SWITCH = "switch",
    CASE = "case",
    KEPT = "kept",
    DOCSTRING = "docstring",
    NOTHING = "nothing",
    STATEMENT = "statement",
    COMPOUND = "compound",
    EXPRESSION = "expression",
    UNPROBED = "unprobed",
    SPINE = "spine",
    HEADER = "header",
    PREAMBLE = "preamble",
    // decisions and conditions
    CONDITION_BRANCH = "condition.branch",
    CONDITION_LOOP = "condition.loop",
    CONDITION_FILTER = "condition.filter",
    CONDITION_UNLESS = "condition.unless",
    COMPARISON = "comparison",
    COMPARISON_ORDER = "comparison.order",
    COMPARISON_EQUALITY = "comparison.equality",
    COMPARISON_TYPE = "comparison.type",
    LOGICAL_AND = "logical.and",
    LOGICAL_OR = "logical.or",
    LOGICAL_NULLISH = "logical.nullish",
    LOGICAL_OPERATOR = "logical.operator",
    NOT = "not",
    LENGTH = "length",
    OPTIONAL = "optional",
    // parts of a match
    LEFT = "left",
    RIGHT = "right",
    OPERAND = "operand",
    // values
    RETURN = "return",
    RETURN_ANY = "return.any",
    RETURN_VALUE = "return.value",
    RETURN_RESULT = "return.result",
    RETURN_TAIL = "return.tail",
    LITERAL_BOOLEAN = "literal.boolean",
    LITERAL_INTEGER = "literal.integer",
    LITERAL_INTEGER_NEGATIVE = "literal.integer.negative",
    LITERAL_STRING = "literal.string",
    LITERAL_LIST = "literal.list",
    LITERAL_DICT = "literal.dict",
    TEXT_DOCSTRING = "text.docstring",
    TEXT_PART = "text.part",
    TEXT_OPENED = "text.opened",
    TEXT_APART = "text.apart",
    CONSTANT = "constant",
    CONSTANT_FALSE = "constant.false",
    CONSTANT_ZERO = "constant.zero",
    CONSTANT_ONE = "constant.one",
    SHAPE_BOOLEAN = "shape.boolean",
    SHAPE_NUMBER = "shape.number",
    SHAPE_TEXT = "shape.text",
    SHAPE_LIST = "shape.list",
    SHAPE_DICT = "shape.dict",
    SWITCH_OFF = "switch.off",
    SWITCH_SET = "switch.set",
    // arithmetic
    ARITHMETIC = "arithmetic",
    ARITHMETIC_OPERATOR = "arithmetic.operator",
    BITWISE = "bitwise",
    BITWISE_OPERATOR = "bitwise.operator",
    ASSIGN = "assign",
    ASSIGN_OPERATOR = "assign.operator",
    ASSIGN_VALUE = "assign.value",
    SIGN = "sign",
    INCREMENT_OPERATOR = "increment.operator",
    NUMBER = "number",
    SEQUENCE = "sequence",
    SEQUENCE_NAME = "sequence.name",
    TYPE_NAME = "type.name",
    TYPE_MAYBE = "type.maybe",
    // statements
    STATEMENT_CALL = "statement.call",
    STATEMENT_ASSIGN = "statement.assign",
    CONTINUE = "continue",
    BREAK = "break",
    THROW = "throw",
    THROW_MESSAGE = "throw.message",
    THROW_AGAIN = "throw.again",
    THROW_UNIMPLEMENTED = "throw.unimplemented",
    HANDLER_BODY = "handler.body",
    FINALLY_BODY = "finally.body",
    SYNCHRONIZED = "synchronized",
    // calls
    CALL = "call",
    CALLEE = "callee",
    CALL_NAME = "call.name",
    CALL_WRAPPER = "call.wrapper",
    CALL_TRIM = "call.trim",
    TRIMMED_ANYWAY = "trimmed.anyway",
    AWAIT = "await",
    // what runs later or beside
    DEFER = "defer",
    SPAWN = "spawn",
    // names, and what they stand for
    NAME = "name",
    NAME_BOUND = "name.bound",
    NAME_LOCAL = "name.local",
    NAME_SET = "name.set",
    NAME_MEMBER = "name.member",
    NAME_SCOPE = "name.scope",
    LABEL = "label",
}

const _: () = assert!(WORDS.len() <= 128, "roles are kept in 128 bits");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_and_its_name_belong_together() {
        assert_eq!(Role::named("comparison.order"), Some(COMPARISON_ORDER));
        assert_eq!(COMPARISON_ORDER.name(), "comparison.order");
        assert_eq!(Role::named("arid.logging"), Some(ARID));
        assert_eq!(Role::named("comparision.order"), None);
    }

    #[test]
    fn no_word_is_listed_twice() {
        let mut words = WORDS.to_vec();
        words.sort();
        words.dedup();
        assert_eq!(words.len(), WORDS.len());
    }
}
