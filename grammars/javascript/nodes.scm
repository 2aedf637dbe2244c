; What things are called in the syntax trees of JavaScript and TypeScript: only what the two have in common.
; The words are explained in grammars/README.md.

; ---- code that is never touched -------------------------------------------------------------------------------------------------
[
  (import_statement)
  (export_clause)
  (namespace_export)
  (decorator)
] @skip

[(comment) (hash_bang_line)] @comment

; Names of modules and of properties are texts only in spelling.
(export_statement source: (string) @skip)
(call_expression function: (import) arguments: (arguments) @skip)
((call_expression function: (identifier) @_word arguments: (arguments . (string) @skip))
  (#eq? @_word "require"))
((call_expression function: (member_expression object: (identifier) @_word) arguments: (arguments . (string) @skip))
  (#eq? @_word "require"))
(pair key: [(string) (number)] @skip)
(pair_pattern key: [(string) (number)] @skip)
(class_body (_ . [(string) (number)] @skip))
(object (method_definition . [(string) (number)] @skip))

; ---- scopes ---------------------------------------------------------------------------------------------------------------------
[
  (function_declaration)
  (generator_function_declaration)
  (function_expression)
  (generator_function)
  (arrow_function)
  (method_definition)
] @function

(function_declaration name: (_) @function.name) @function
(generator_function_declaration name: (_) @function.name) @function
(method_definition name: (string (string_fragment) @function.name)) @function
(method_definition
  name: [(property_identifier) (private_property_identifier) (computed_property_name) (number)] @function.name) @function

; The name under which a function without a name of its own is known.
(variable_declarator
  name: (identifier) @function.name
  value: [(arrow_function) (function_expression) (generator_function)] @function)
(assignment_expression
  left: [(identifier) @function.name (member_expression property: (_) @function.name)]
  right: [(arrow_function) (function_expression) (generator_function)] @function)
(pair
  key: [(property_identifier) @function.name (computed_property_name) @function.name (string (string_fragment) @function.name)]
  value: [(arrow_function) (function_expression) (generator_function)] @function)
(class_body
  (_
    [(property_identifier) (private_property_identifier) (computed_property_name)] @function.name
    value: [(arrow_function) (function_expression) (generator_function)] @function))
(export_statement
  "default" @function.name
  value: [(arrow_function) (function_expression) (generator_function)] @function)
(function_expression name: (_) @function.name) @function
(generator_function name: (_) @function.name) @function

(function_declaration body: (_) @function.body)
(generator_function_declaration body: (_) @function.body)
(function_expression body: (_) @function.body)
(generator_function body: (_) @function.body)
(method_definition body: (_) @function.body)
(arrow_function body: (statement_block) @function.body)

[(class_declaration) (class)] @class
(class_declaration name: (_) @class.name) @class
(variable_declarator name: (identifier) @class.name value: (class) @class)
(assignment_expression
  left: [(identifier) @class.name (member_expression property: (_) @class.name)]
  right: (class) @class)
(export_statement "default" @class.name value: (class) @class)
(class name: (_) @class.name) @class

((method_definition name: (property_identifier) @_name) @constructor
  (#eq? @_name "constructor"))
(method_definition "get") @accessor.get
(method_definition "set") @accessor.set
(export_statement declaration: [(function_declaration) (generator_function_declaration) (class_declaration)]) @decorated
(export_statement value: [(arrow_function) (function_expression) (generator_function) (class)]) @decorated
(export_statement
  declaration: (lexical_declaration (variable_declarator value: [(arrow_function) (function_expression) (class)]))) @decorated
(lexical_declaration (variable_declarator value: [(arrow_function) (function_expression) (class)])) @decorated

(yield_expression) @yield

; ---- shape of the code ----------------------------------------------------------------------------------------------------------
[(statement_block) (class_body) (switch_body) (switch_case) (switch_default)] @block
(parenthesized_expression (_) @inside) @parentheses

(if_statement) @branch
(else_clause) @branch.part

(for_in_statement) @loop.finite
(for_statement condition: (_) increment: (_)) @loop.finite
[(for_statement) (while_statement) (do_statement)] @loop
(for_statement increment: (_) @loop.step)

(switch_statement) @switch
(switch_case value: (_) @operand ":" [(expression_statement) (return_statement) (throw_statement) (continue_statement) (if_statement)
  (for_statement) (for_in_statement) (while_statement) (do_statement) (try_statement) (switch_statement) (statement_block)
  (lexical_declaration) (variable_declaration) (labeled_statement)]) @case

(expression_statement . (string) @text.docstring .) @docstring
(empty_statement) @nothing

[
  (expression_statement)
  (return_statement)
  (throw_statement)
  (break_statement)
  (continue_statement)
  (debugger_statement)
  (import_statement)
  (empty_statement)
] @statement
; Not in the head of a loop, where a declaration is no statement.
(program [(lexical_declaration) (variable_declaration)] @statement)
(statement_block [(lexical_declaration) (variable_declaration)] @statement)
(switch_case [(lexical_declaration) (variable_declaration)] @statement)
(switch_default [(lexical_declaration) (variable_declaration)] @statement)

; Where a probe may stand round a node. Not round a function or class: it would lose the name that it gets from where it stands.
[
  (binary_expression)
  (unary_expression)
  (update_expression)
  (ternary_expression)
  (call_expression)
  (new_expression)
  (member_expression)
  (subscript_expression)
  (await_expression)
  (yield_expression)
  (assignment_expression)
  (augmented_assignment_expression)
  (number)
  (string)
  (template_string)
  (regex)
  (true)
  (false)
  (null)
  (undefined)
  (array)
  (object)
] @expression
(switch_statement value: (parenthesized_expression (_) @expression))
(if_statement condition: (_) @header)
(while_statement condition: (_) @header)
(switch_statement value: (_) @header)

; What goes on behind its end, is assigned to, or is called with its owner.
(member_expression object: (_) @spine)
(subscript_expression object: (_) @spine)
(call_expression function: (_) @spine)
(call_expression arguments: (template_string) @spine)
(new_expression constructor: (_) @spine)
(assignment_expression left: (_) @spine)
(augmented_assignment_expression left: (_) @spine)
(assignment_pattern left: (_) @spine)
(update_expression argument: (_) @spine)
(unary_expression operator: "delete" argument: (_) @spine)
(for_in_statement left: (_) @spine)
(array_pattern (_) @spine)
(pair_pattern value: (_) @spine)
(rest_pattern (_) @spine)
(class_heritage (_) @spine)

; ---- decisions and conditions ---------------------------------------------------------------------------------------------------
(if_statement condition: (parenthesized_expression [(expression) (sequence_expression)] @condition.branch))
(ternary_expression condition: (_) @condition.branch)
(while_statement condition: (parenthesized_expression [(expression) (sequence_expression)] @condition.loop))
(do_statement condition: (parenthesized_expression [(expression) (sequence_expression)] @condition.loop))
(for_statement condition: [(expression) (sequence_expression)] @condition.loop)

(binary_expression operator: ["<" "<=" ">" ">="] @comparison.order) @comparison
(binary_expression operator: ["==" "!=" "===" "!=="] @comparison.equality) @comparison
(binary_expression operator: ["instanceof" "in"]) @comparison.type
(binary_expression operator: ["instanceof" "in"]) @comparison

(binary_expression left: (_) @left operator: "&&" @logical.operator right: (_) @right) @logical.and
(binary_expression left: (_) @left operator: "||" @logical.operator right: (_) @right) @logical.or
(binary_expression left: (_) @left operator: "??" right: (_) @right) @logical.nullish
(unary_expression operator: "!" argument: (_) @operand) @not

((binary_expression (member_expression property: (property_identifier) @_word) @length)
  (#any-of? @_word "length" "size"))
((number) @constant.zero (#match? @constant.zero "^0[0_.]*n?$"))
((number) @constant.one (#any-of? @constant.one "1" "1n"))

(member_expression (optional_chain) @optional)
(subscript_expression (optional_chain) @optional)
; A node in one grammar, a token in the other.
((call_expression function: (_) . _ @optional)
  (#eq? @optional "?."))

; ---- values ---------------------------------------------------------------------------------------------------------------------
(return_statement [(expression) (sequence_expression)] @return.value) @return
(return_statement) @return.any
(arrow_function body: (expression) @return.value)

[(true) (false)] @literal.boolean
(number) @literal.integer
(unary_expression operator: "-" argument: (number)) @literal.integer.negative
[(string) (template_string)] @literal.string
(call_expression arguments: (template_string) @text.part)
(array [(expression) (spread_element)]) @literal.list
(object [(pair) (spread_element) (method_definition) (shorthand_property_identifier)]) @literal.dict

[(true) (false) (null) (undefined) (number)] @constant
[(false) (null) (undefined)] @constant.false
((number) @constant.false (#match? @constant.false "^0[0_.]*n?$"))

[(true) (false)] @shape.boolean
(binary_expression operator: ["<" "<=" ">" ">=" "==" "!=" "===" "!==" "instanceof" "in"]) @shape.boolean
(unary_expression operator: "!") @shape.boolean
(binary_expression operator: ["&&" "||"] right: [
  (binary_expression operator: ["<" "<=" ">" ">=" "==" "!=" "===" "!==" "instanceof" "in"])
  (unary_expression operator: "!")]) @shape.boolean
((call_expression function: (member_expression property: (property_identifier) @_word)) @shape.boolean
  (#any-of? @_word "includes" "has" "startsWith" "endsWith" "some" "every" "test" "isArray" "isInteger" "isFinite" "isNaN"
    "hasOwnProperty"))
(number) @shape.number
(binary_expression operator: ["-" "*" "/" "%" "**"]) @shape.number
(unary_expression operator: "-") @shape.number
[(string) (template_string)] @shape.text
(array) @shape.list

; ---- arithmetic -----------------------------------------------------------------------------------------------------------------
(binary_expression
  left: (_) @left
  operator: ["+" "-" "*" "/" "%" "**"] @arithmetic.operator
  right: (_) @right) @arithmetic
(binary_expression
  operator: ["&" "|" "^" "<<" ">>" ">>>"] @bitwise.operator) @bitwise
(augmented_assignment_expression operator: _ @assign.operator right: (_) @assign.value) @assign
(update_expression operator: ["++" "--"] @increment.operator)
(unary_expression operator: ["-" "~"] argument: (_) @operand) @sign
(number) @number

; Operands that make `+` join.
[(string) (template_string)] @sequence
(unary_expression operator: "typeof") @sequence
(ternary_expression consequence: [(string) (template_string)]) @sequence
(ternary_expression alternative: [(string) (template_string)]) @sequence
((call_expression function: (identifier) @_word) @sequence
  (#any-of? @_word "String" "encodeURIComponent" "decodeURIComponent" "encodeURI" "decodeURI" "escape" "unescape" "btoa" "atob"))
((call_expression function: (member_expression property: (property_identifier) @_word)) @sequence
  (#any-of? @_word "toString" "join" "trim" "trimStart" "trimEnd" "toUpperCase" "toLowerCase" "toLocaleUpperCase" "toLocaleLowerCase"
    "padStart" "padEnd" "repeat" "replace" "replaceAll" "substring" "substr" "charAt" "toFixed" "toPrecision" "toISOString" "toJSON"
    "stringify" "toLocaleString" "toLocaleDateString" "toLocaleTimeString" "fromCharCode" "fromCodePoint" "normalize"))

; ---- statements -----------------------------------------------------------------------------------------------------------------
((expression_statement (call_expression function: (_) @_word)) @statement.call
  (#not-eq? @_word "super"))
(expression_statement (await_expression (call_expression))) @statement.call
(expression_statement (unary_expression operator: "void" argument: (call_expression))) @statement.call
; What a module exports is not left out: nothing could use it any more.
((expression_statement (assignment_expression left: [(member_expression) (subscript_expression)] @_word)) @statement.assign
  (#not-match? @_word "^(module\\.)?exports\\b"))
(expression_statement (augmented_assignment_expression left: [(member_expression) (subscript_expression)])) @statement.assign
(continue_statement !label "continue" @continue)
(break_statement !label "break" @break)
(break_statement) @break

(throw_statement) @throw
(throw_statement (new_expression arguments: (arguments) @throw.message))
(throw_statement (call_expression arguments: (arguments) @throw.message))
((catch_clause parameter: (identifier) @_caught body: (statement_block (throw_statement (identifier) @_thrown) @throw.again))
  (#eq? @_caught @_thrown))
((throw_statement (_ (identifier) @_word)) @throw.unimplemented
  (#match? @_word "^NotImplemented"))
((throw_statement (_ arguments: (arguments . (string) @_word))) @throw.unimplemented
  (#match? @_word "(?i)(not (yet )?implemented|unimplemented|abstract method|must be implemented)"))
(catch_clause parameter: (identifier) @operand body: (statement_block) @handler.body)
(finally_clause body: (statement_block (_)) @finally.body)

; ---- calls ----------------------------------------------------------------------------------------------------------------------
((call_expression function: (member_expression property: (property_identifier) @call.name) arguments: (arguments . (_) .))
  (#any-of? @call.name "some" "every" "startsWith" "endsWith"))
((call_expression function: (member_expression object: (identifier) @_word property: (property_identifier) @call.name))
  (#eq? @_word "Math")
  (#any-of? @call.name "min" "max" "floor" "ceil"))

((call_expression
  function: (member_expression object: (_) @operand property: (property_identifier) @_word)
  arguments: (arguments . "(" . ")" .)) @call.wrapper
  (#any-of? @_word "toLowerCase" "toUpperCase" "toLocaleLowerCase" "toLocaleUpperCase" "sort" "toSorted" "reverse" "toReversed" "slice"
    "flat" "normalize")
  (#not-match? @operand "^(super|[A-Z]\\w*|_|\\$|path|url|fs)$"))
((call_expression
  function: (member_expression object: (_) @operand property: (property_identifier) @_word)
  arguments: (arguments . "(" . ")" .)) @call.trim
  (#any-of? @_word "trim" "trimStart" "trimEnd")
  (#not-match? @operand "^(super|[A-Z]\\w*|_|\\$)$"))
((call_expression
  function: (member_expression object: (_) @operand property: (property_identifier) @_word)
  arguments: (arguments . (_) .)) @call.wrapper
  (#any-of? @_word "sort" "toSorted" "slice" "filter" "flat" "normalize")
  (#not-match? @operand "^(super|[A-Z]\\w*|_|\\$|path|url|fs)$"))
((call_expression
  function: (member_expression object: (_) @operand property: (property_identifier) @_word)
  arguments: (arguments . (_) . (_) .)) @call.wrapper
  (#eq? @_word "slice")
  (#not-match? @operand "^(super|[A-Z]\\w*|_|\\$)$"))
; These read past blanks by themselves.
((call_expression function: (identifier) @_word arguments: (arguments . (call_expression) @trimmed.anyway))
  (#any-of? @_word "Number" "parseInt" "parseFloat"))
((call_expression function: (member_expression property: (property_identifier) @_word) arguments: (arguments . (call_expression) @trimmed.anyway))
  (#any-of? @_word "parseInt" "parseFloat"))

(await_expression (_) @operand) @await
(call_expression function: (_) @callee) @call

; ---- code that is not worth a mutant --------------------------------------------------------------------------------------------
((call_expression function: (member_expression object: (identifier) @_word)) @arid.logging
  (#match? @_word "^_*(console|log|logger|LOG|LOGGER|winston|pino)$"))
((call_expression function: (member_expression object: (member_expression property: (_) @_word))) @arid.logging
  (#match? @_word "^[_#]*(log|logger|LOG|LOGGER)$"))
((call_expression function: (identifier) @_word) @arid.logging
  (#eq? @_word "debug"))
(debugger_statement) @arid.logging
((call_expression function: (member_expression object: (identifier) @_word)) @arid.metrics
  (#match? @_word "^_*(metrics?|statsd|tracer|span|profiler|telemetry)$"))
((call_expression function: (identifier) @_word) @arid.sleep
  (#eq? @_word "sleep"))
((call_expression function: (identifier) @_word) @arid.assert
  (#any-of? @_word "assert" "invariant"))
((call_expression function: (member_expression object: (identifier) @_word)) @arid.assert
  (#eq? @_word "assert"))
((if_statement condition: (parenthesized_expression (call_expression function: (member_expression property: (_) @_word)))) @arid.log-guard
  (#any-of? @_word "isDebugEnabled" "isTraceEnabled" "isLevelEnabled"))
((call_expression function: (identifier) @_word arguments: (arguments . (_) . (_) @arid.tuning-argument))
  (#any-of? @_word "setTimeout" "setInterval"))
((pair key: (property_identifier) @_word value: (_) @arid.tuning-argument)
  (#any-of? @_word "timeout" "timeoutMs" "maxListeners" "highWaterMark" "ttl" "poolSize" "cacheSize"))
(export_statement source: (string)) @arid.re-export

; The names of module constants that are off, for code behind them.
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @switch.off value: [(false) (null)])))
((program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @switch.off value: (number) @_value)))
  (#match? @_value "^0$"))
(program (lexical_declaration (variable_declarator name: (identifier) @switch.set)))
