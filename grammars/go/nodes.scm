; What things are called in Go's syntax tree. The words are explained in grammars/README.md.

; ---- code that is never touched -------------------------------------------------------------------------------------------------
[
  (package_clause)
  (import_declaration)
  (type_declaration)
  (const_declaration)
  (array_type)
  (function_type)
] @skip

(comment) @comment

; ---- scopes ---------------------------------------------------------------------------------------------------------------------
(function_declaration
  name: (identifier) @function.name
  result: (_)? @function.result
  body: (block)? @function.body) @function

; A method is named after the type of its receiver, with or without a `*` and type parameters.
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (type_identifier) @class.name))
  name: (field_identifier) @function.name
  result: (_)? @function.result
  body: (block)? @function.body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (pointer_type (type_identifier) @class.name)))
  name: (field_identifier) @function.name
  result: (_)? @function.result
  body: (block)? @function.body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (generic_type type: (type_identifier) @class.name)))
  name: (field_identifier) @function.name
  result: (_)? @function.result
  body: (block)? @function.body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (pointer_type (generic_type type: (type_identifier) @class.name))))
  name: (field_identifier) @function.name
  result: (_)? @function.result
  body: (block)? @function.body) @function

; A closure has a name if it is given one at once; else it belongs to the function around it.
(func_literal result: (_)? @function.result) @function
(short_var_declaration
  left: (expression_list . (identifier) @function.name .)
  right: (expression_list . (func_literal result: (_)? @function.result body: (block) @function.body) @function .))
(var_spec
  name: (identifier) @function.name
  value: (expression_list . (func_literal result: (_)? @function.result body: (block) @function.body) @function .))
(keyed_element
  key: (literal_element (identifier) @function.name)
  value: (literal_element (func_literal result: (_)? @function.result body: (block) @function.body) @function))

(function_declaration result: (parameter_list) @function.results)
(method_declaration result: (parameter_list) @function.results)
(func_literal result: (parameter_list) @function.results)

; ---- shape of the code ----------------------------------------------------------------------------------------------------------
(statement_list) @block
(parenthesized_expression (_) @inside) @parentheses

(if_statement) @branch
(if_statement consequence: (block) @branch.part)
(if_statement alternative: (_) @branch.part)

(for_statement) @loop
(for_statement (range_clause)) @loop.finite
(for_statement (for_clause condition: (_) update: (_))) @loop.finite
[(expression_switch_statement) (type_switch_statement) (select_statement)] @switch

(empty_statement) @nothing

(statement_list
  [
    (expression_statement)
    (send_statement)
    (inc_statement)
    (dec_statement)
    (assignment_statement)
    (short_var_declaration)
    (var_declaration)
    (const_declaration)
    (type_declaration)
    (return_statement)
    (go_statement)
    (defer_statement)
    (break_statement)
    (continue_statement)
    (goto_statement)
    (fallthrough_statement)
  ] @statement)
; A statement with a body: a probe may stand before it.
(statement_list
  [
    (if_statement)
    (for_statement)
    (expression_switch_statement)
    (type_switch_statement)
    (select_statement)
    (block)
  ] @compound)
; A jump to a label passes by what stands before it; the first statement of a body is passed by all.
(function_declaration body: (block (statement_list . (labeled_statement) @compound)))
(method_declaration body: (block (statement_list . (labeled_statement) @compound)))

; Not always run when the statement is; all other expressions are.
(binary_expression operator: ["&&" "||"] right: (_) @expression)

; ---- decisions and conditions ---------------------------------------------------------------------------------------------------
(if_statement condition: (_) @condition.branch)
; A switch over nothing is a chain of decisions.
(expression_switch_statement !value (expression_case value: (expression_list . (_) @condition.branch .)))
(for_statement (for_clause condition: (_) @condition.loop))
(for_statement . (_expression) @condition.loop)

(binary_expression operator: ["<" "<=" ">" ">="] @comparison.order) @comparison
(binary_expression operator: ["==" "!="] @comparison.equality) @comparison

(binary_expression left: (_) @left operator: "&&" @logical.operator right: (_) @right) @logical.and
(binary_expression left: (_) @left operator: "||" @logical.operator right: (_) @right) @logical.or
(unary_expression operator: "!" operand: (_) @operand) @not

(binary_expression (call_expression function: (identifier) @_len) @length
  (#any-of? @_len "len" "cap"))
((int_literal) @constant.zero (#match? @constant.zero "^0[0_]*$"))
((int_literal) @constant.one (#eq? @constant.one "1"))

; ---- values ---------------------------------------------------------------------------------------------------------------------
(return_statement) @return.any
(return_statement (expression_list (_) @return.result))

[(true) (false)] @literal.boolean
(int_literal) @literal.integer
(unary_expression operator: "-" operand: (int_literal)) @literal.integer.negative

[(true) (false) (nil) (iota) (int_literal) (float_literal) (imaginary_literal) (rune_literal)] @constant
(false) @constant.false

; The names of constants that are false, for code behind them.
(source_file (const_declaration (const_spec name: (identifier) @switch.off value: (expression_list (false)))))
(source_file (const_declaration (const_spec name: (identifier) @switch.set)))

; ---- arithmetic -----------------------------------------------------------------------------------------------------------------
(binary_expression
  left: (_) @left
  operator: ["+" "-" "*" "/" "%"] @arithmetic.operator
  right: (_) @right) @arithmetic
(binary_expression
  operator: ["&" "|" "^" "<<" ">>" "&^"] @bitwise.operator) @bitwise
(statement_list
  (assignment_statement
    left: (expression_list (_) @left)
    operator: ["+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>=" "&^="] @assign.operator
    right: (expression_list (_) @assign.value)) @assign)
(unary_expression operator: ["-" "^"] operand: (_) @operand) @sign
[(int_literal) (float_literal) (imaginary_literal) (rune_literal)] @number
(statement_list [(inc_statement "++" @increment.operator) (dec_statement "--" @increment.operator)])

; Operands that make `+` join.
[(interpreted_string_literal) (raw_string_literal)] @sequence
((call_expression function: (identifier) @_word) @sequence
  (#eq? @_word "string"))
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_word)) @sequence
  (#eq? @_package "fmt") (#match? @_word "^Sprint"))
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_word)) @sequence
  (#eq? @_package "strconv") (#match? @_word "^(Itoa|Format|Quote)"))
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_word)) @sequence
  (#eq? @_package "strings") (#match? @_word "^(Join|Repeat|Replace|Title|To|Trim|Map)"))
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_word)) @sequence
  (#any-of? @_package "path" "filepath") (#any-of? @_word "Join" "Base" "Dir" "Ext" "Clean"))
((call_expression function: (selector_expression field: (field_identifier) @_word)) @sequence
  (#any-of? @_word "String" "Error" "GoString"))

; ---- names ----------------------------------------------------------------------------------------------------------------------
(identifier) @name
(label_name) @label
(qualified_type package: (package_identifier) @name)
(selector_expression field: (field_identifier) @name.member)

[
  (function_declaration)
  (method_declaration)
  (func_literal)
  (function_type)
  (method_elem)
  (if_statement)
  (for_statement)
  (expression_switch_statement)
  (type_switch_statement)
  (expression_case)
  (type_case)
  (default_case)
  (communication_case)
  (source_file)
] @name.scope
(if_statement [consequence: (block) alternative: (block)] @name.scope)
(for_statement body: (block) @name.scope)
(statement_list (block) @name.scope)

(parameter_declaration name: (identifier) @name.bound)
(variadic_parameter_declaration name: (identifier) @name.bound)
(function_declaration name: (identifier) @name.bound)
(const_spec name: (identifier) @name.bound)
(source_file (var_declaration (var_spec name: (identifier) @name.bound)))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name.bound))))

; A local that nothing uses is an error.
(short_var_declaration left: (expression_list (identifier) @name.local))
(range_clause left: (expression_list (identifier) @name.local) ":=")
(receive_statement left: (expression_list (identifier) @name.local) ":=")
(type_switch_statement alias: (expression_list (identifier) @name.local))
(statement_list (var_declaration (var_spec name: (identifier) @name.local)))
(statement_list (var_declaration (var_spec_list (var_spec name: (identifier) @name.local))))

; To set is not to use; and the key of a literal may be the name of a field.
(assignment_statement left: (expression_list (identifier) @name.set))
(inc_statement (identifier) @name.set)
(dec_statement (identifier) @name.set)
(keyed_element key: (literal_element (identifier) @name.set))

; Names of texts: `+` joins them.
((parameter_declaration name: (identifier) @sequence type: (type_identifier) @_type)
  (#eq? @_type "string"))
((var_spec name: (identifier) @sequence type: (type_identifier) @_type)
  (#eq? @_type "string"))
((const_spec name: (identifier) @sequence type: (type_identifier) @_type)
  (#eq? @_type "string"))
((function_declaration name: (identifier) @sequence result: (type_identifier) @_type)
  (#eq? @_type "string"))
((method_declaration name: (field_identifier) @sequence @name.member result: (type_identifier) @_type)
  (#eq? @_type "string"))
((field_declaration name: (field_identifier) @sequence @name.member type: (type_identifier) @_type)
  (#eq? @_type "string"))
(field_declaration name: (field_identifier) @name.member)
(const_spec name: (identifier) @sequence value: (expression_list . [(interpreted_string_literal) (raw_string_literal)] .))
(var_spec name: (identifier) @sequence value: (expression_list . [(interpreted_string_literal) (raw_string_literal)] .))
(short_var_declaration
  left: (expression_list . (identifier) @sequence .)
  right: (expression_list . [(interpreted_string_literal) (raw_string_literal)] .))

; ---- statements -----------------------------------------------------------------------------------------------------------------
((statement_list (expression_statement (call_expression function: (_) @_callee)) @statement.call)
  (#not-eq? @_callee "panic"))
((expression_statement (call_expression function: (identifier) @_word arguments: (argument_list . (interpreted_string_literal) @_text))) @throw.unimplemented
  (#eq? @_word "panic") (#match? @_text "[Nn]ot (yet )?(implemented|supported)|[Uu]nimplemented|TODO|unreachable"))
(statement_list
  (assignment_statement left: (expression_list . [(selector_expression) (index_expression) (unary_expression operator: "*")] .)) @statement.assign)
(break_statement) @break
(statement_list (defer_statement) @defer)
(statement_list (go_statement (_) @operand) @spawn)

(call_expression function: (_) @callee) @call

; ---- code that is not worth a mutant --------------------------------------------------------------------------------------------
((call_expression function: (identifier) @_word) @arid.logging
  (#any-of? @_word "print" "println"))
((call_expression function: (selector_expression operand: (identifier) @_word)) @arid.logging
  (#match? @_word "^(log|logger|slog|klog|glog|zap|logrus|LOG)$"))
((call_expression function: (selector_expression operand: (selector_expression field: (field_identifier) @_word))) @arid.logging
  (#match? @_word "^(log|logger|Log|Logger|slog)$"))
((call_expression function: (selector_expression operand: (call_expression function: (selector_expression operand: (identifier) @_word)))) @arid.logging
  (#match? @_word "^(log|logger|slog|klog|glog|zap|logrus)$"))
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_word)) @arid.logging
  (#eq? @_package "fmt") (#match? @_word "^Print"))
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_word)
    arguments: (argument_list . (selector_expression) @_stream)) @arid.logging
  (#eq? @_package "fmt") (#match? @_word "^Fprint") (#eq? @_stream "os.Stderr"))
((call_expression function: (selector_expression operand: (identifier) @_word)) @arid.metrics
  (#match? @_word "^(metrics?|statsd|tracer|span|telemetry)$"))
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_word)) @arid.sleep
  (#eq? @_package "time") (#eq? @_word "Sleep"))

((if_statement condition: (call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_word)) @arid.log-guard)
  (#match? @_package "^(log|logger|slog|klog|glog|zap|logrus)$") (#any-of? @_word "V" "Enabled" "IsLevelEnabled"))

(method_declaration name: (field_identifier) @_word parameters: (parameter_list . "(" . ")" .) body: (block) @arid.text-form
  (#any-of? @_word "String" "GoString"))

; The room that is set aside, not the length.
((call_expression function: (identifier) @_word arguments: (argument_list . (slice_type) . (_) . (_) @arid.tuning-argument))
  (#eq? @_word "make"))
((call_expression function: (identifier) @_word arguments: (argument_list . [(map_type) (channel_type)] . (_) @arid.tuning-argument))
  (#eq? @_word "make"))
((call_expression function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_word) arguments: (argument_list (_) @arid.tuning-argument))
  (#eq? @_package "time") (#any-of? @_word "After" "NewTimer" "NewTicker" "Tick"))
((call_expression function: (selector_expression field: (field_identifier) @_word)) @arid.tuning-argument
  (#any-of? @_word "Grow" "SetDeadline" "SetReadDeadline" "SetWriteDeadline"))

; `var _ I = (*T)(nil)` is checked by the compiler.
((var_declaration (var_spec name: (identifier) @_word)) @arid.interface-check
  (#eq? @_word "_"))
