; What things are called in markup: JSX, in JavaScript and TypeScript.

(jsx_attribute (string) @skip)
(jsx_attribute [(property_identifier) (jsx_namespace_name)] @skip)
[(jsx_element) (jsx_self_closing_element)] @expression
; Markup within markup is no operand that a bracket could stand round.
(jsx_element [(jsx_element) (jsx_self_closing_element)] @spine)
(jsx_attribute [(jsx_element) (jsx_self_closing_element)] @spine)
