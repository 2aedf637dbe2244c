//! Settings from variables: `MUTATE_JOBS=2`.
//!
//! Only these few; everything else belongs into the file, where colleagues can see it.

use super::layer::Layer;
use crate::error::{Error, Result};

const KEYS: [&str; 10] =
    ["jobs", "tier", "timeout", "timeout-factor", "timeout-const", "scratch", "python", "color", "progress", "output-format"];

pub fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<toml::Table> {
    let mut table = toml::Table::new();
    for key in KEYS {
        let name = format!("MUTATE_{}", key.replace('-', "_").to_uppercase());
        if let Some(value) = variable(&name).filter(|value| !value.is_empty()) {
            table.insert(key.to_string(), meant(key, &name, &value)?);
        }
    }
    Ok(table)
}

/// A variable is always text; what fits the key first is meant: the text itself, or a number.
fn meant(key: &str, name: &str, text: &str) -> Result<toml::Value> {
    let number = text.parse::<i64>().map(toml::Value::from).or_else(|_| text.parse::<f64>().map(toml::Value::from));
    let fits = |value: &toml::Value| toml::Table::from_iter([(key.to_string(), value.clone())]).try_into::<Layer>();
    let text = toml::Value::from(text);
    let refused = match fits(&text) {
        Ok(_) => return Ok(text),
        Err(refused) => refused,
    };
    number.ok().filter(|number| fits(number).is_ok()).ok_or_else(|| {
        let what = refused.message().lines().next().unwrap_or_default().to_string();
        Error::usage(what).at(format!("the variable {name}")).mend(format!("correct {name} or unset it"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(name: &str, value: &str) -> Result<Layer> {
        let table = read(&|asked| (asked == name).then(|| value.to_string()))?;
        Ok(table.try_into().unwrap())
    }

    #[test]
    fn a_variable_may_hold_a_number_or_a_word() {
        assert_eq!(layer("MUTATE_TIMEOUT_FACTOR", "2.5").unwrap().timeout_factor, Some(2.5));
        assert_eq!(layer("MUTATE_TIMEOUT_FACTOR", "2").unwrap().timeout_factor, Some(2.0));
        assert_eq!(layer("MUTATE_JOBS", "50%").unwrap().jobs, Some("50%".parse().unwrap()));
        assert_eq!(layer("MUTATE_TIER", "all").unwrap().tier, Some(crate::config::Tier::All));
        assert_eq!(layer("MUTATE_TIER", "").unwrap(), Layer::default());
    }

    #[test]
    fn a_wrong_variable_is_named() {
        let error = layer("MUTATE_TIER", "brave").unwrap_err();
        assert_eq!(error.kind.exit_code(), 2);
        assert!(error.to_string().contains("at the variable MUTATE_TIER"), "{error}");
    }
}
