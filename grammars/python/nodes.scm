; What things are called in Python's syntax tree. The words are explained in grammars/README.md.

; ---- code that is never touched -------------------------------------------------------------------------------------------------
[
  (type)
  (decorator)
  (import_statement)
  (import_from_statement)
  (future_import_statement)
  (global_statement)
  (nonlocal_statement)
  (case_pattern)
  (print_statement)
  (type_alias_statement)
] @skip

(comment) @comment

; ---- scopes ---------------------------------------------------------------------------------------------------------------------
(function_definition
  name: (identifier) @function.name
  return_type: (type)? @function.result
  body: (block) @function.body) @function

(class_definition
  name: (identifier) @class.name) @class

(lambda) @lambda

((function_definition name: (identifier) @_name) @constructor
  (#any-of? @_name "__init__" "__new__" "__post_init__" "__init_subclass__"))

(decorated_definition
  (decorator (identifier) @_word)
  definition: (function_definition) @accessor.get
  (#any-of? @_word "property" "cached_property"))
(decorated_definition
  (decorator (attribute attribute: (identifier) @_word))
  definition: (function_definition) @accessor.get
  (#eq? @_word "cached_property"))
(decorated_definition
  (decorator (attribute attribute: (identifier) @_word))
  definition: (function_definition) @accessor.set
  (#eq? @_word "setter"))
(decorated_definition) @decorated

(yield) @yield

; ---- shape of the code ----------------------------------------------------------------------------------------------------------
(block) @block
(parenthesized_expression (_) @inside) @parentheses
(named_expression) @binds

(if_statement) @branch
(else_clause) @branch.part
(elif_clause) @branch.part

(for_statement) @loop.finite
(while_statement) @loop

(expression_statement (string) @text.docstring) @docstring
(expression_statement (concatenated_string) @text.docstring) @docstring
(pass_statement) @nothing
(expression_statement (ellipsis)) @nothing

[
  (expression_statement)
  (return_statement)
  (raise_statement)
  (pass_statement)
  (break_statement)
  (continue_statement)
  (delete_statement)
  (assert_statement)
  (exec_statement)
  (import_statement)
  (import_from_statement)
  (global_statement)
  (nonlocal_statement)
] @statement
; What must stand before everything else in a file.
(future_import_statement) @preamble

; Where a probe may stand round a node; and text that shows its own source.
[
  (comparison_operator)
  (boolean_operator)
  (not_operator)
  (binary_operator)
  (unary_operator)
  (conditional_expression)
  (call)
  (await)
  (integer)
  (float)
  (string)
  (concatenated_string)
  (true)
  (false)
  (none)
  (list)
  (dictionary)
  (set)
  (list_comprehension)
  (dictionary_comprehension)
  (set_comprehension)
] @expression
(for_statement right: (_) @expression)
(with_item value: [(identifier) (attribute) (subscript)] @expression)
(with_item value: (as_pattern . (_) @expression))
(match_statement subject: (_) @expression)
(with_clause) @header
(interpolation "=") @unprobed
(concatenated_string (string) @unprobed)
(delete_statement) @unprobed

; ---- decisions and conditions ---------------------------------------------------------------------------------------------------
(if_statement condition: (_) @condition.branch)
(elif_clause condition: (_) @condition.branch)
(conditional_expression . (_) . (_) @condition.branch)
(case_clause guard: (if_clause (_) @condition.branch))
(while_statement condition: (_) @condition.loop)
(list_comprehension (if_clause (_) @condition.filter))
(set_comprehension (if_clause (_) @condition.filter))
(dictionary_comprehension (if_clause (_) @condition.filter))
(generator_expression (if_clause (_) @condition.filter))

(comparison_operator
  operators: ["<" "<=" ">" ">="] @comparison.order)
(comparison_operator
  operators: ["==" "!=" "is" "is not" "in" "not in"] @comparison.equality)
(comparison_operator) @comparison

(boolean_operator left: (_) @left operator: "and" @logical.operator right: (_) @right) @logical.and
(boolean_operator left: (_) @left operator: "or" @logical.operator right: (_) @right) @logical.or
(not_operator argument: (_) @operand) @not

(comparison_operator (call function: (identifier) @_len) @length
  (#eq? @_len "len"))
((integer) @constant.zero (#match? @constant.zero "^0[0_]*$"))
((integer) @constant.one (#eq? @constant.one "1"))

; ---- values ---------------------------------------------------------------------------------------------------------------------
(return_statement (_) @return.value) @return
(return_statement) @return.any

[(true) (false)] @literal.boolean
(integer) @literal.integer
(unary_operator operator: "-" argument: (integer)) @literal.integer.negative
(string) @literal.string
(concatenated_string (string) @text.part)
; An empty text takes nothing: `"" % x` fails at once.
(binary_operator left: (string) @text.part operator: "%")
(list (_)) @literal.list
(dictionary (_)) @literal.dict

[(true) (false) (none) (integer) (float) (ellipsis)] @constant
[(false) (none)] @constant.false
((integer) @constant.false (#match? @constant.false "^0[0_]*$"))

[(comparison_operator) (not_operator) (true) (false)] @shape.boolean
(boolean_operator) @shape.boolean
[(integer) (float)] @shape.number
[(string) (concatenated_string)] @shape.text
[(list) (list_comprehension)] @shape.list
[(dictionary) (dictionary_comprehension)] @shape.dict

; ---- arithmetic -----------------------------------------------------------------------------------------------------------------
(binary_operator
  left: (_) @left
  operator: ["+" "-" "*" "/" "//" "%" "**"] @arithmetic.operator
  right: (_) @right) @arithmetic
(binary_operator
  operator: ["&" "|" "^" "<<" ">>"] @bitwise.operator) @bitwise
(augmented_assignment operator: _ @assign.operator right: (_) @assign.value) @assign
(unary_operator operator: ["-" "~"] argument: (_) @operand) @sign
[(integer) (float)] @number

; Operands that make `+` and `*` join or repeat, and `%` format.
[(string) (concatenated_string) (list) (tuple) (list_comprehension)] @sequence
((call function: (identifier) @_word) @sequence
  (#any-of? @_word "str" "repr" "bytes" "list" "tuple" "chr" "hex" "bin" "oct" "ascii" "format"))
((call function: (attribute attribute: (identifier) @_word)) @sequence
  (#any-of? @_word "join" "format" "strip" "lstrip" "rstrip" "upper" "lower" "title" "capitalize" "replace" "encode" "decode" "zfill"
    "ljust" "rjust" "center" "isoformat" "strftime" "hexdigest"))

; Operands of `|` that are types.
((identifier) @type.name
  (#match? @type.name "^(int|str|float|bool|bytes|complex|object|type|list|dict|set|tuple|frozenset|[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)$"))
((attribute attribute: (identifier) @_word) @type.name
  (#match? @_word "^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$"))
(subscript value: (identifier) @_word
  (#match? @_word "^(list|dict|set|tuple|frozenset|type|[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)$")) @type.name
(none) @type.maybe
((identifier) @type.maybe (#match? @type.maybe "^[A-Z][A-Z0-9_]*$"))
(string) @type.maybe

; ---- statements -----------------------------------------------------------------------------------------------------------------
(expression_statement [(call) (await (call))]) @statement.call
(expression_statement (assignment left: [(attribute) (subscript)] right: (_))) @statement.assign
(expression_statement (augmented_assignment left: [(attribute) (subscript)])) @statement.assign
(continue_statement) @continue
(break_statement) @break

(raise_statement) @throw
(raise_statement (call arguments: (argument_list) @throw.message))
(raise_statement . "raise" .) @throw.again
(raise_statement . "raise" . (identifier) @_word (#match? @_word "^NotImplemented")) @throw.unimplemented
(raise_statement . "raise" . (call function: (identifier) @_word) (#match? @_word "^NotImplemented")) @throw.unimplemented
(except_clause (block) @handler.body)
(finally_clause (block) @finally.body)

; ---- calls ----------------------------------------------------------------------------------------------------------------------
((call function: (identifier) @call.name)
  (#any-of? @call.name "any" "all" "min" "max"))
((call function: (attribute attribute: (identifier) @call.name) arguments: (argument_list . (_) .))
  (#any-of? @call.name "startswith" "endswith" "removeprefix" "removesuffix" "find" "rfind" "partition" "rpartition"))

((call function: (identifier) @_word arguments: (argument_list . (expression) @operand)) @call.wrapper
  (#any-of? @_word "sorted" "reversed" "abs" "round"))
((call function: (attribute object: (_) @operand attribute: (identifier) @_word) arguments: (argument_list . "(" . ")" .)) @call.wrapper
  (#any-of? @_word "lower" "upper" "casefold" "title" "copy"))
((call function: (attribute object: (_) @operand attribute: (identifier) @_word) arguments: (argument_list)) @call.trim
  (#any-of? @_word "strip" "lstrip" "rstrip"))
; `split()` without arguments does not see blanks at the ends.
((call function: (attribute object: (_) @trimmed.anyway attribute: (identifier) @_word) arguments: (argument_list . "(" . ")" .))
  (#eq? @_word "split"))

(await (_) @operand) @await
(call function: (_) @callee) @call

; ---- code that is not worth a mutant --------------------------------------------------------------------------------------------
(assert_statement) @arid.assert

((call function: (identifier) @_word) @arid.logging
  (#any-of? @_word "print" "pprint" "breakpoint"))
((call function: (attribute object: (identifier) @_word)) @arid.logging
  (#match? @_word "^_*(log|logger|logging|LOG|LOGGER|warnings|structlog)$"))
((call function: (attribute object: (attribute attribute: (identifier) @_word))) @arid.logging
  (#match? @_word "^_*(log|logger|LOG|LOGGER)$"))
((call function: (attribute object: (identifier) @_word)) @arid.metrics
  (#match? @_word "^_*(metrics?|statsd|stats|tracer|span|profiler|telemetry)$"))
((call function: [(identifier) @_word (attribute attribute: (identifier) @_word)]) @arid.sleep
  (#eq? @_word "sleep"))

((if_statement condition: (call function: (attribute attribute: (identifier) @_word))) @arid.log-guard
  (#eq? @_word "isEnabledFor"))
((if_statement condition: (comparison_operator (identifier) @_word)) @arid.main-guard
  (#eq? @_word "__name__"))
((if_statement condition: (identifier) @_word consequence: (block) @arid.type-checking)
  (#eq? @_word "TYPE_CHECKING"))
((if_statement condition: (identifier) @arid.type-checking)
  (#eq? @arid.type-checking "TYPE_CHECKING"))
((if_statement condition: (attribute attribute: (identifier) @_word) @arid.type-checking consequence: (block) @arid.type-checking)
  (#eq? @_word "TYPE_CHECKING"))

(module (expression_statement (assignment left: (identifier) @_word) @arid.type-checking)
  (#eq? @_word "TYPE_CHECKING"))
(module (expression_statement (assignment left: (identifier) @_word) @arid.module-name)
  (#match? @_word "^__[a-z_]+__$"))

((function_definition name: (identifier) @_word body: (block) @arid.text-form)
  (#any-of? @_word "__repr__" "__del__" "__sizeof__" "__dir__"))

(decorated_definition (decorator (identifier) @_word) definition: (function_definition body: (block) @arid.abstract)
  (#any-of? @_word "abstractmethod" "overload"))
(decorated_definition (decorator (attribute attribute: (identifier) @_word)) definition: (function_definition body: (block) @arid.abstract)
  (#any-of? @_word "abstractmethod" "overload"))
(function_definition body: (block . (raise_statement [(identifier) @_word (call function: (identifier) @_word)]) .) @arid.abstract
  (#eq? @_word "NotImplementedError"))

((keyword_argument name: (identifier) @_word value: (_) @arid.tuning-argument)
  (#any-of? @_word "timeout" "maxsize" "max_workers" "buffering" "chunk_size" "bufsize" "stacklevel" "indent" "ttl" "pool_size"))

; The names of module constants that are False, for code behind them.
(module (expression_statement (assignment left: (identifier) @switch.off right: [(false) (none)])))
(module (expression_statement (assignment left: (identifier) @switch.off right: (integer) @_value))
  (#match? @_value "^0[0_]*$"))
(module (expression_statement (assignment left: (identifier) @switch.set)))
