; What things are called in Java's syntax tree. The words are explained in grammars/README.md.

; ---- code that is never touched -------------------------------------------------------------------------------------------------
[
  (marker_annotation)
  (annotation)
  (annotation_type_declaration)
  (import_declaration)
  (package_declaration)
  (module_declaration)
  (type_arguments)
  (type_parameters)
  (pattern)
  (throws)
] @skip
; The labels of a switch must be constant and different from each other.
(switch_label (expression) @skip)
; The counter of a loop: an edit hangs or leaves the array.
(for_statement update: (expression) @skip)

[(line_comment) (block_comment)] @comment

; ---- scopes ---------------------------------------------------------------------------------------------------------------------
(method_declaration
  type: (_) @function.result
  name: (identifier) @function.name
  parameters: (_) @function.parameters
  !dimensions
  body: (block) @function.body) @function
; `int f()[]` gives an array, whatever its type says.
(method_declaration
  name: (identifier) @function.name
  parameters: (_) @function.parameters
  dimensions: (_) @function.result
  body: (block) @function.body) @function
(constructor_declaration parameters: (_) @function.parameters) @function @constructor
(compact_constructor_declaration) @function @constructor
; What is between braces of a class is run by every constructor.
(class_body (block) @function @constructor)
(enum_body_declarations (block) @function @constructor)

(formal_parameter type: (_) @parameter.type)
(spread_parameter (_) @parameter.type . "...")

(class_declaration name: (identifier) @class.name) @class
(interface_declaration name: (identifier) @class.name) @class
(enum_declaration name: (identifier) @class.name) @class
(record_declaration name: (identifier) @class.name) @class
(enum_constant name: (identifier) @class.name body: (class_body) @class)
(object_creation_expression (class_body) @class)

(lambda_expression) @lambda

; ---- shape of the code ----------------------------------------------------------------------------------------------------------
[
  (block)
  (constructor_body)
  (class_body)
  (interface_body)
  (enum_body)
  (enum_body_declarations)
  (switch_block_statement_group)
] @block
(parenthesized_expression (expression) @inside) @parentheses
(instanceof_expression name: (_)) @binds
(instanceof_expression pattern: (_)) @binds

; What the compiler must go on seeing: a name that gets its value in the middle of an expression, a guard that decides nothing, the calls
; that may throw what is caught.
(parenthesized_expression (assignment_expression left: (identifier)) @kept)
(argument_list (assignment_expression left: (identifier)) @kept)
(assignment_expression right: (assignment_expression left: (identifier)) @kept)
(array_access index: (assignment_expression left: (identifier)) @kept)
(guard (expression) @kept)
(try_statement body: (block) @kept (catch_clause))
(try_with_resources_statement body: (block) @kept (catch_clause))

(if_statement) @branch
(if_statement consequence: (_) @branch.part)
(if_statement alternative: (_) @branch.part)

(enhanced_for_statement) @loop.finite
(for_statement update: (expression)) @loop.finite
(for_statement !update) @loop
[(while_statement) (do_statement)] @loop
(switch_expression) @switch

[
  (return_statement)
  (throw_statement)
  (break_statement)
  (continue_statement)
  (yield_statement)
  (assert_statement)
] @statement
; Behind an arrow an expression is a value, in the head of a loop a declaration is no statement.
(block [(expression_statement) (local_variable_declaration)] @statement)
(constructor_body [(expression_statement) (local_variable_declaration)] @statement)
(switch_block_statement_group [(expression_statement) (local_variable_declaration)] @statement)
(if_statement consequence: (expression_statement) @statement)
(if_statement alternative: (expression_statement) @statement)
(while_statement body: (expression_statement) @statement)
(do_statement body: (expression_statement) @statement)
(for_statement body: (expression_statement) @statement)
(enhanced_for_statement body: (expression_statement) @statement)

; Where a probe may stand before a statement made of others; a label must stay at its loop.
(block (statement) @compound)
(constructor_body (statement) @compound)
(switch_block_statement_group (statement) @compound)
(if_statement consequence: (statement) @compound)
(if_statement alternative: (statement) @compound)
(while_statement body: (statement) @compound)
(do_statement body: (statement) @compound)
(for_statement body: (statement) @compound)
(enhanced_for_statement body: (statement) @compound)
; Run once, when the class is loaded: a probe would tell of one test only.
(static_initializer) @unprobed

; ---- decisions and conditions ---------------------------------------------------------------------------------------------------
(if_statement condition: (parenthesized_expression (expression) @condition.branch))
(ternary_expression condition: (expression) @condition.branch)
(guard (expression) @condition.branch)
(while_statement condition: (parenthesized_expression (expression) @condition.loop))
(do_statement condition: (parenthesized_expression (expression) @condition.loop))
(for_statement condition: (expression) @condition.loop)

(binary_expression operator: ["<" "<=" ">" ">="] @comparison.order) @comparison
(binary_expression operator: ["==" "!="] @comparison.equality) @comparison
(instanceof_expression !name !pattern) @comparison.type

(binary_expression left: (expression) @left operator: "&&" @logical.operator right: (expression) @right) @logical.and
(binary_expression left: (expression) @left operator: "||" @logical.operator right: (expression) @right) @logical.or
(unary_expression operator: "!" operand: (expression) @operand) @not

((method_invocation name: (identifier) @_word arguments: (argument_list . "(" . ")" .)) @length
  (#any-of? @_word "length" "size"))
((field_access field: (identifier) @_word) @length
  (#eq? @_word "length"))
((decimal_integer_literal) @constant.zero (#match? @constant.zero "^0[lL]?$"))
((decimal_integer_literal) @constant.one (#match? @constant.one "^1[lL]?$"))

; ---- values ---------------------------------------------------------------------------------------------------------------------
(return_statement (expression) @return.value) @return
(return_statement) @return.any

[(true) (false)] @literal.boolean
; The largest number of a type has none behind it.
((decimal_integer_literal) @literal.integer
  (#not-any-of? @literal.integer "2147483647" "2_147_483_647" "2147483648" "9223372036854775807L" "9223372036854775808L"))
((unary_expression operator: "-" operand: (decimal_integer_literal)) @literal.integer.negative)

[
  (true)
  (false)
  (null_literal)
  (decimal_integer_literal)
  (hex_integer_literal)
  (octal_integer_literal)
  (binary_integer_literal)
  (decimal_floating_point_literal)
  (string_literal)
  (character_literal)
] @constant
(false) @constant.false

; Their type is certain, also where none is declared.
[(true) (false) (instanceof_expression)] @shape.boolean
(binary_expression operator: ["<" "<=" ">" ">=" "==" "!=" "&&" "||"]) @shape.boolean
(unary_expression operator: "!") @shape.boolean

; ---- arithmetic -----------------------------------------------------------------------------------------------------------------
(binary_expression
  left: (expression) @left
  operator: ["+" "-" "*" "/" "%"] @arithmetic.operator
  right: (expression) @right) @arithmetic
(binary_expression
  operator: ["&" "|" "^" "<<" ">>" ">>>"] @bitwise.operator) @bitwise
(assignment_expression
  left: (_) @left
  operator: ["+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>=" ">>>="] @assign.operator
  right: (expression) @assign.value) @assign
(unary_expression operator: ["-" "~"] operand: (expression) @operand) @sign
(update_expression ["++" "--"] @increment.operator)
[
  (decimal_integer_literal)
  (hex_integer_literal)
  (octal_integer_literal)
  (binary_integer_literal)
  (decimal_floating_point_literal)
  (hex_floating_point_literal)
] @number

; Operands that make `+` join.
(string_literal) @sequence
((cast_expression type: (type_identifier) @_word) @sequence
  (#eq? @_word "String"))
((method_invocation name: (identifier) @_word) @sequence
  (#any-of? @_word "toString" "substring" "trim" "strip" "toLowerCase" "toUpperCase" "concat" "repeat" "replace" "replaceAll"
    "replaceFirst" "format" "formatted" "join" "getMessage" "getLocalizedMessage" "getName" "getSimpleName" "getCanonicalName"
    "getTypeName" "lineSeparator" "getProperty" "readLine" "toHexString" "toBinaryString" "toOctalString"))
((method_invocation object: (identifier) @_type name: (identifier) @_word) @sequence
  (#eq? @_type "String") (#any-of? @_word "valueOf" "copyValueOf"))
; Names that are declared as text.
((formal_parameter type: (type_identifier) @_word name: (identifier) @sequence.name)
  (#eq? @_word "String"))
((local_variable_declaration type: (type_identifier) @_word declarator: (variable_declarator name: (identifier) @sequence.name))
  (#eq? @_word "String"))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @sequence.name value: (string_literal)))
((field_declaration type: (type_identifier) @_word declarator: (variable_declarator name: (identifier) @sequence.name))
  (#eq? @_word "String"))
((constant_declaration type: (type_identifier) @_word declarator: (variable_declarator name: (identifier) @sequence.name))
  (#eq? @_word "String"))
((enhanced_for_statement type: (type_identifier) @_word name: (identifier) @sequence.name)
  (#eq? @_word "String"))
((method_declaration type: (type_identifier) @_word name: (identifier) @sequence.name)
  (#eq? @_word "String"))

; ---- statements -----------------------------------------------------------------------------------------------------------------
(block (expression_statement (method_invocation)) @statement.call)
(constructor_body (expression_statement (method_invocation)) @statement.call)
(switch_block_statement_group (expression_statement (method_invocation)) @statement.call)
(if_statement consequence: (expression_statement (method_invocation)) @statement.call)
(if_statement alternative: (expression_statement (method_invocation)) @statement.call)
(while_statement body: (expression_statement (method_invocation)) @statement.call)
(do_statement body: (expression_statement (method_invocation)) @statement.call)
(for_statement body: (expression_statement (method_invocation)) @statement.call)
(enhanced_for_statement body: (expression_statement (method_invocation)) @statement.call)

(block
  (expression_statement (assignment_expression left: [(field_access) (array_access)])) @statement.assign)
(switch_block_statement_group
  (expression_statement (assignment_expression left: [(field_access) (array_access)])) @statement.assign)
(if_statement consequence:
  (expression_statement (assignment_expression left: [(field_access) (array_access)])) @statement.assign)
(if_statement alternative:
  (expression_statement (assignment_expression left: [(field_access) (array_access)])) @statement.assign)
(while_statement body:
  (expression_statement (assignment_expression left: [(field_access) (array_access)])) @statement.assign)
(do_statement body:
  (expression_statement (assignment_expression left: [(field_access) (array_access)])) @statement.assign)
(for_statement body:
  (expression_statement (assignment_expression left: [(field_access) (array_access)])) @statement.assign)
(enhanced_for_statement body:
  (expression_statement (assignment_expression left: [(field_access) (array_access)])) @statement.assign)

(continue_statement) @continue
(break_statement) @break
((throw_statement (object_creation_expression type: (_) @_word)) @throw.unimplemented
  (#match? @_word "(UnsupportedOperation|NotImplemented)(Exception|Error)$"))
(finally_clause (block) @finally.body)
(synchronized_statement body: (block) @operand) @synchronized

; ---- calls ----------------------------------------------------------------------------------------------------------------------
((method_invocation object: (_) name: (identifier) @call.name)
  (#any-of? @call.name "anyMatch" "allMatch" "noneMatch" "min" "max" "floor" "ceil"))
((method_invocation object: (_) name: (identifier) @call.name arguments: (argument_list . (expression) .))
  (#any-of? @call.name "startsWith" "endsWith" "isBefore" "isAfter"))

; A name with a capital and a small letter is a type: its method is no step behind a value.
((method_invocation object: (_) @operand name: (identifier) @_word arguments: (argument_list . "(" . ")" .)) @call.wrapper
  (#any-of? @_word "trim" "strip" "toLowerCase" "toUpperCase" "sorted" "distinct")
  (#not-match? @operand "^([A-Za-z0-9_]+\\.)*[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$"))
((method_invocation object: (_) @operand name: (identifier) @_word arguments: (argument_list . (expression) .)) @call.wrapper
  (#any-of? @_word "toLowerCase" "toUpperCase" "sorted" "filter")
  (#not-match? @operand "^([A-Za-z0-9_]+\\.)*[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$"))
; Others than streams skip and limit as well, and give a number back.
(method_invocation object:
  ((method_invocation object: (_) @operand name: (identifier) @_word arguments: (argument_list . (expression) .)) @call.wrapper
    (#any-of? @_word "skip" "limit")
    (#not-match? @operand "^([A-Za-z0-9_]+\\.)*[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$")))

(method_invocation name: (identifier) @callee) @call
(object_creation_expression type: (_) @callee) @call

; ---- code that is not worth a mutant --------------------------------------------------------------------------------------------
(assert_statement) @arid.assert

((method_invocation object: (identifier) @_word) @arid.logging
  (#match? @_word "^_*(log|logger|LOG|LOGGER)$"))
((method_invocation object: (field_access field: (identifier) @_word)) @arid.logging
  (#match? @_word "^_*(log|logger|LOG|LOGGER)$"))
((method_invocation object: (method_invocation object: (identifier) @_word)) @arid.logging
  (#match? @_word "^_*(log|logger|LOG|LOGGER)$"))
((method_invocation object: (field_access object: (identifier) @_type field: (identifier) @_word)) @arid.logging
  (#eq? @_type "System") (#any-of? @_word "out" "err"))
((method_invocation name: (identifier) @_word) @arid.logging
  (#eq? @_word "printStackTrace"))
((method_invocation object: (identifier) @_word) @arid.metrics
  (#match? @_word "^_*(metrics?|meterRegistry|tracer|telemetry|statsd)$"))
((method_invocation object: [(identifier) @_type (field_access field: (identifier) @_type)] name: (identifier) @_word) @arid.sleep
  (#any-of? @_type "Thread" "MILLISECONDS" "SECONDS" "MINUTES" "TimeUnit") (#eq? @_word "sleep"))

((if_statement condition: (parenthesized_expression (method_invocation name: (identifier) @_word))) @arid.log-guard
  (#match? @_word "^is(Trace|Debug|Info|Warn|Error|Fatal)Enabled$|^isLoggable$"))

((method_declaration name: (identifier) @_word parameters: (formal_parameters . "(" . ")" .) body: (block) @arid.text-form)
  (#any-of? @_word "toString" "hashCode" "finalize"))

; The first step of `equals`: it only saves time.
((method_declaration name: (identifier) @_word
  body: (block . (if_statement
    condition: (parenthesized_expression (binary_expression operator: "==") @arid.identity-shortcut) @_condition)))
  (#eq? @_word "equals") (#match? @_condition "\\bthis\\b"))

((class_declaration (modifiers [(annotation name: (_) @_word) (marker_annotation name: (_) @_word)])) @arid.generated
  (#match? @_word "(Generated|DoNotMutate|CoverageIgnore)(Code|Report)?$"))
((interface_declaration (modifiers [(annotation name: (_) @_word) (marker_annotation name: (_) @_word)])) @arid.generated
  (#match? @_word "(Generated|DoNotMutate|CoverageIgnore)(Code|Report)?$"))
((enum_declaration (modifiers [(annotation name: (_) @_word) (marker_annotation name: (_) @_word)])) @arid.generated
  (#match? @_word "(Generated|DoNotMutate|CoverageIgnore)(Code|Report)?$"))
((record_declaration (modifiers [(annotation name: (_) @_word) (marker_annotation name: (_) @_word)])) @arid.generated
  (#match? @_word "(Generated|DoNotMutate|CoverageIgnore)(Code|Report)?$"))
((method_declaration (modifiers [(annotation name: (_) @_word) (marker_annotation name: (_) @_word)])) @arid.generated
  (#match? @_word "(Generated|DoNotMutate|CoverageIgnore)(Code|Report)?$"))
((constructor_declaration (modifiers [(annotation name: (_) @_word) (marker_annotation name: (_) @_word)])) @arid.generated
  (#match? @_word "(Generated|DoNotMutate|CoverageIgnore)(Code|Report)?$"))

((object_creation_expression type: [(type_identifier) @_word (generic_type . (type_identifier) @_word)]
  arguments: (argument_list . (expression) @arid.tuning-argument .))
  (#match? @_word "^(ArrayList|ArrayDeque|HashMap|HashSet|LinkedHashMap|LinkedHashSet|StringBuilder|StringBuffer|Vector|Hashtable)$"))

; Constants that are false for ever, for code behind them.
(field_declaration (modifiers "final")
  declarator: (variable_declarator name: (identifier) @switch.off @switch.set value: (false)))
