; What things are called in Ruby's syntax tree. The words are explained in grammars/README.md.

; ---- code that is never touched -------------------------------------------------------------------------------------------------
[
  (alias)
  (undef)
  (superclass)
  (exceptions)
  (begin_block)
  (hash_key_symbol)
  (uninterpreted)
] @skip
(unary operator: "defined?") @skip
(in_clause pattern: (_) @skip)
(match_pattern pattern: (_) @skip)
(test_pattern pattern: (_) @skip)
; Words that declare: what they are given is not code that runs.
((call !receiver method: (identifier) @_word) @skip
  (#any-of? @_word "require" "require_relative" "load" "autoload" "gem" "source" "include" "extend" "prepend" "using" "refine"
    "attr_reader" "attr_writer" "attr_accessor" "attr" "alias_method" "private_constant" "public_constant" "deprecate_constant"
    "def_delegator" "def_delegators" "def_instance_delegator" "def_instance_delegators" "delegate" "ruby2_keywords"))

(comment) @comment

; ---- scopes ---------------------------------------------------------------------------------------------------------------------
(method name: (_) @function.name body: (_)? @function.body) @function
(singleton_method name: (_) @function.name body: (_)? @function.body) @function @function.static
(singleton_class body: (body_statement (method) @function.static))

(class name: (_) @class.name) @class
(module name: (_) @class.name) @class

[(block) (do_block) (lambda)] @lambda

((method name: (identifier) @_name) @constructor
  (#any-of? @_name "initialize" "initialize_copy" "initialize_dup" "initialize_clone"))

; ---- shape of the code ----------------------------------------------------------------------------------------------------------
[
  (body_statement)
  (then)
  (else)
  (ensure)
  (do)
  (begin)
  (block_body)
] @block
(if_modifier body: (_) @block)
(unless_modifier body: (_) @block)
(parenthesized_statements . (_) @inside .) @parentheses
; What gets a name here is used later.
(assignment left: [(identifier) (left_assignment_list)]) @binds
(operator_assignment left: (identifier)) @binds

[(if) (unless) (case) (case_match) (if_modifier) (unless_modifier)] @branch
[(elsif) (else) (when) (in_clause) (rescue)] @branch.part

[(while) (until) (while_modifier) (until_modifier)] @loop
(for) @loop.finite

[(empty_statement) (nil)] @nothing

; The text of a heredoc stands apart from the expression that it belongs to.
(heredoc_beginning) @text.opened
(heredoc_body) @text.apart

(program [(call) (assignment) (operator_assignment) (binary) (if_modifier) (unless_modifier) (return) (identifier) (rescue_modifier)] @statement)
(body_statement [(call) (assignment) (operator_assignment) (binary) (unary) (conditional) (if_modifier) (unless_modifier)
  (while_modifier) (until_modifier) (rescue_modifier) (return) (next) (break) (redo) (retry) (yield) (super) (identifier)
  (instance_variable) (constant) (element_reference) (string) (integer) (array) (hash) (true) (false) (nil) (self)] @statement)
(block_body [(call) (assignment) (operator_assignment) (binary) (unary) (conditional) (if_modifier) (unless_modifier)
  (while_modifier) (until_modifier) (rescue_modifier) (return) (next) (break) (redo) (retry) (yield) (super) (identifier)
  (instance_variable) (constant) (element_reference) (string) (integer) (array) (hash) (true) (false) (nil) (self)] @statement)
(then [(call) (assignment) (operator_assignment) (binary) (unary) (conditional) (if_modifier) (unless_modifier)
  (while_modifier) (until_modifier) (rescue_modifier) (return) (next) (break) (redo) (retry) (yield) (super) (identifier)
  (instance_variable) (constant) (element_reference) (string) (integer) (array) (hash) (true) (false) (nil) (self)] @statement)
(else [(call) (assignment) (operator_assignment) (binary) (unary) (conditional) (if_modifier) (unless_modifier)
  (while_modifier) (until_modifier) (rescue_modifier) (return) (next) (break) (redo) (retry) (yield) (super) (identifier)
  (instance_variable) (constant) (element_reference) (string) (integer) (array) (hash) (true) (false) (nil) (self)] @statement)
(ensure [(call) (assignment) (operator_assignment) (binary) (if_modifier) (unless_modifier) (rescue_modifier) (yield) (super)
  (identifier)] @statement)
(do [(call) (assignment) (operator_assignment) (binary) (if_modifier) (unless_modifier) (rescue_modifier) (return) (next) (break)
  (redo) (yield) (super) (identifier)] @statement)
(begin [(call) (assignment) (operator_assignment) (binary) (unary) (conditional) (if_modifier) (unless_modifier) (rescue_modifier)
  (return) (next) (break) (retry) (yield) (super) (identifier) (instance_variable) (constant) (element_reference)] @statement)

; Where a probe may stand round a node.
[
  (call)
  (binary)
  (unary)
  (conditional)
  (integer)
  (float)
  (string)
  (chained_string)
  (heredoc_beginning)
  (string_array)
  (symbol_array)
  (true)
  (false)
  (nil)
  (array)
  (hash)
  (element_reference)
  (yield)
  (super)
  (lambda)
  (assignment)
  (operator_assignment)
  (rescue_modifier)
] @expression
(for value: (in (_) @expression))
(case value: (_) @expression)
(case_match value: (_) @expression)
; Targets, names and pieces are no expressions.
(assignment left: (_) @unprobed)
(operator_assignment left: (_) @unprobed)
(left_assignment_list) @unprobed
(rest_assignment) @unprobed
(for pattern: (_) @unprobed)
(exception_variable) @unprobed
(chained_string (string) @unprobed)
(pair key: (_) @unprobed)
(block_parameters) @unprobed

; ---- decisions and conditions ---------------------------------------------------------------------------------------------------
(if condition: (_) @condition.branch)
(elsif condition: (_) @condition.branch)
(if_modifier condition: (_) @condition.branch)
(conditional condition: (_) @condition.branch)
(if_guard condition: (_) @condition.branch)
(unless condition: (_) @condition.branch @condition.unless)
(unless_modifier condition: (_) @condition.branch @condition.unless)
(unless_guard condition: (_) @condition.branch @condition.unless)
(case !value (when pattern: (pattern (_) @condition.branch)))
(while condition: (_) @condition.loop)
(while_modifier condition: (_) @condition.loop)
(until condition: (_) @condition.loop @condition.unless)
(until_modifier condition: (_) @condition.loop @condition.unless)

(binary operator: ["<" "<=" ">" ">="] @comparison.order)
(binary operator: ["==" "!=" "=~" "!~"] @comparison.equality)
(binary operator: ["<" "<=" ">" ">=" "==" "!=" "===" "=~" "!~"]) @comparison

(binary left: (_) @left operator: ["&&" "and"] @logical.operator right: (_) @right) @logical.and
(binary left: (_) @left operator: ["||" "or"] @logical.operator right: (_) @right) @logical.or
(unary operator: ["!" "not"] operand: (_) @operand) @not

((call receiver: (_) method: (identifier) @_word !arguments !block) @length
  (#any-of? @_word "length" "size" "count" "bytesize"))
((integer) @constant.zero (#match? @constant.zero "^0[0_]*$"))
((integer) @constant.one (#eq? @constant.one "1"))

; ---- values ---------------------------------------------------------------------------------------------------------------------
(return (argument_list . (_) @return.value .)) @return
(return) @return.any
; The last value of a method is its result, and so is that of a branch in the last place.
(method body: [(call) (binary) (unary) (conditional) (identifier) (instance_variable) (constant) (string) (integer) (float) (array)
  (hash) (true) (false) (element_reference) (self) (yield) (lambda) (operator_assignment)] @return.tail)
(singleton_method body: [(call) (binary) (unary) (conditional) (identifier) (instance_variable) (constant) (string) (integer) (float)
  (array) (hash) (true) (false) (element_reference) (self) (yield) (lambda) (operator_assignment)] @return.tail)
(body_statement [(call) (binary) (unary) (conditional) (identifier) (instance_variable) (class_variable) (global_variable) (constant)
  (scope_resolution) (string) (chained_string) (integer) (float) (array) (string_array) (symbol_array) (hash) (true) (false) (range)
  (regex) (simple_symbol) (element_reference) (self) (yield) (super) (lambda) (operator_assignment)] @return.tail . (comment)* . [(rescue) (ensure)]?)
(then [(call) (binary) (unary) (conditional) (identifier) (instance_variable) (class_variable) (global_variable) (constant)
  (scope_resolution) (string) (chained_string) (integer) (float) (array) (string_array) (symbol_array) (hash) (true) (false) (range)
  (regex) (simple_symbol) (element_reference) (self) (yield) (super) (lambda) (operator_assignment)] @return.tail . (comment)* .)
(else [(call) (binary) (unary) (conditional) (identifier) (instance_variable) (class_variable) (global_variable) (constant)
  (scope_resolution) (string) (chained_string) (integer) (float) (array) (string_array) (symbol_array) (hash) (true) (false) (range)
  (regex) (simple_symbol) (element_reference) (self) (yield) (super) (lambda) (operator_assignment)] @return.tail . (comment)* .)
(begin [(call) (binary) (unary) (conditional) (identifier) (instance_variable) (constant) (scope_resolution) (string) (integer)
  (array) (hash) (true) (false) (element_reference) (self) (yield) (super)] @return.tail . (comment)* . [(rescue) (ensure)]?)

[(true) (false)] @literal.boolean
((integer) @literal.integer (#not-match? @literal.integer "^0[0-7_dD]"))
(unary operator: "-" operand: (integer)) @literal.integer.negative
((string) @literal.string (#match? @literal.string "^[\"']"))
(chained_string (string) @text.part)
(pair key: (string) @text.part)
; An empty text takes nothing: `"" % x` fails at once.
(binary left: (string) @text.part operator: "%")
(array (_)) @literal.list
(hash (_)) @literal.dict

[(true) (false) (nil) (integer) (float)] @constant
[(false) (nil)] @constant.false

[(true) (false)] @shape.boolean
(binary operator: ["<" "<=" ">" ">=" "==" "!=" "===" "!~"]) @shape.boolean
(unary operator: ["!" "not"]) @shape.boolean
((call method: (identifier) @_word) @shape.boolean (#match? @_word "[?]$"))
; A method whose name ends in a question mark answers yes or no.
((method name: (identifier) @_name body: (body_statement [(binary) (call)] @shape.boolean .)) (#match? @_name "[?]$"))
[(integer) (float)] @shape.number
[(string) (chained_string) (heredoc_beginning)] @shape.text
[(array) (string_array) (symbol_array)] @shape.list
(hash) @shape.dict

; ---- arithmetic -----------------------------------------------------------------------------------------------------------------
(binary left: (_) @left operator: ["+" "-" "*" "/" "%" "**"] @arithmetic.operator right: (_) @right) @arithmetic
(binary operator: ["&" "|" "^"] @bitwise.operator) @bitwise
; A `<<` puts something into something, unless there is a number beside it.
(binary left: (integer) operator: ["<<" ">>"] @bitwise.operator) @bitwise
(binary operator: ["<<" ">>"] @bitwise.operator right: (integer)) @bitwise
(operator_assignment operator: _ @assign.operator right: (_) @assign.value) @assign
(unary operator: ["-" "~"] operand: (_) @operand) @sign
[(integer) (float) (rational) (complex)] @number

; Operands that make `+` and `*` join or repeat, and `%` format.
[(string) (chained_string) (heredoc_beginning) (array) (string_array) (symbol_array) (character)] @sequence
((call method: (identifier) @_word) @sequence
  (#any-of? @_word "to_s" "to_str" "to_a" "to_ary" "inspect" "join" "format" "sprintf" "strip" "lstrip" "rstrip" "chomp" "chop" "upcase"
    "downcase" "capitalize" "swapcase" "gsub" "sub" "tr" "ljust" "rjust" "center" "strftime" "iso8601" "hexdigest" "encode" "force_encoding"
    "split" "chars" "lines" "map" "flat_map" "select" "reject" "filter" "sort" "sort_by" "uniq" "compact" "flatten" "keys" "values"))

; ---- statements -----------------------------------------------------------------------------------------------------------------
; A plain word in the body of a class declares something; with a receiver it is a call like any other.
(program (call receiver: (_)) @statement.call)
(class body: (body_statement (call receiver: (_)) @statement.call))
(module body: (body_statement (call receiver: (_)) @statement.call))
((method body: (body_statement (call method: (_) @_word) @statement.call))
  (#not-any-of? @_word "raise" "fail" "attr_accessor" "attr_reader" "attr_writer" "private" "public" "protected" "module_function"))
((singleton_method body: (body_statement (call method: (_) @_word) @statement.call)) (#not-any-of? @_word "raise" "fail"))
((do_block body: (body_statement (call method: (_) @_word) @statement.call))
  (#not-any-of? @_word "raise" "fail" "private" "public" "protected" "module_function" "define_method"))
((block_body (call method: (_) @_word) @statement.call) (#not-any-of? @_word "raise" "fail"))
((then (call method: (_) @_word) @statement.call) (#not-any-of? @_word "raise" "fail"))
((else (call method: (_) @_word) @statement.call) (#not-any-of? @_word "raise" "fail"))
((ensure (call method: (_) @_word) @statement.call) (#not-any-of? @_word "raise" "fail"))
((do (call method: (_) @_word) @statement.call) (#not-any-of? @_word "raise" "fail"))
((begin (call method: (_) @_word) @statement.call) (#not-any-of? @_word "raise" "fail"))
(body_statement [(yield) (super) (binary operator: "<<")] @statement.call)
(block_body [(yield) (super) (binary operator: "<<")] @statement.call)
(then [(yield) (super) (binary operator: "<<")] @statement.call)
(else [(yield) (super) (binary operator: "<<")] @statement.call)
(do [(yield) (super) (binary operator: "<<")] @statement.call)
; A word by itself that is not the last one can only be a call.
((body_statement (identifier) @statement.call . (_))
  (#not-any-of? @statement.call "raise" "fail" "private" "public" "protected" "module_function" "private_class_method"))
((then (identifier) @statement.call . (_)) (#not-any-of? @statement.call "raise" "fail"))
(ensure (identifier) @statement.call)

(body_statement (assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(block_body (assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(then (assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(else (assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(ensure (assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(do (assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(begin (assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(body_statement (operator_assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(block_body (operator_assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(then (operator_assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(else (operator_assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(do (operator_assignment left: [(instance_variable) (class_variable) (global_variable) (element_reference) (call)]) @statement.assign)
(next) @continue

; A `raise` behind a modifier is all that its branch does.
((body_statement (call !receiver method: (identifier) @_word) @throw) (#any-of? @_word "raise" "fail"))
((block_body (call !receiver method: (identifier) @_word) @throw) (#any-of? @_word "raise" "fail"))
((then (call !receiver method: (identifier) @_word) @throw) (#any-of? @_word "raise" "fail"))
((else (call !receiver method: (identifier) @_word) @throw) (#any-of? @_word "raise" "fail"))
((begin (call !receiver method: (identifier) @_word) @throw) (#any-of? @_word "raise" "fail"))
((call !receiver method: (identifier) @_word arguments: (argument_list) @throw.message) (#any-of? @_word "raise" "fail"))
((identifier) @throw.again (#eq? @throw.again "raise"))
((call !receiver method: (identifier) @_word arguments: (argument_list . (constant) @_error)) @throw.unimplemented
  (#any-of? @_word "raise" "fail") (#match? @_error "^NotImplemented"))
(rescue body: (then) @handler.body)
(rescue_modifier handler: (_) @handler.body)
(ensure) @finally.body

; ---- calls ----------------------------------------------------------------------------------------------------------------------
((call receiver: (_) method: (identifier) @call.name)
  (#any-of? @call.name "any?" "all?" "none?" "min" "max" "min_by" "max_by" "first" "last" "start_with?" "end_with?" "delete_prefix"
    "delete_suffix" "floor" "ceil" "index" "rindex" "upcase" "downcase" "shift" "pop" "push" "unshift" "take" "drop" "take_while"
    "drop_while" "select" "filter" "reject" "ljust" "rjust" "each_key" "each_value" "keys" "values"))
((call receiver: (_) method: (identifier) @call.name block: (_)) (#any-of? @call.name "map" "flat_map"))

((call receiver: (_) @operand method: (identifier) @_word !block) @call.wrapper
  (#any-of? @_word "sort" "reverse" "uniq" "compact" "flatten" "abs" "round" "capitalize" "dup" "shuffle" "squeeze"))
((call receiver: (_) @operand method: (identifier) @_word block: (_)) @call.wrapper
  (#any-of? @_word "sort_by" "select" "filter" "reject" "uniq"))
((call receiver: (_) @operand method: (identifier) @_word arguments: (argument_list (block_argument))) @call.wrapper
  (#any-of? @_word "sort_by" "select" "filter" "reject" "uniq"))
((call receiver: (_) @operand method: (identifier) @_word) @call.trim
  (#any-of? @_word "strip" "lstrip" "rstrip" "chomp"))
; `split` without arguments does not see blanks at the ends.
((call receiver: (_) @trimmed.anyway method: (identifier) @_word !arguments) (#eq? @_word "split"))

(call operator: "&." @optional)
(call method: (_) @callee) @call

; ---- code that is not worth a mutant --------------------------------------------------------------------------------------------
((call !receiver method: (identifier) @_word) @arid.logging
  (#any-of? @_word "puts" "p" "pp" "print" "printf" "putc" "warn" "debugger" "byebug"))
((call receiver: (_) @_log method: (identifier) @_word) @arid.logging
  (#match? @_log "(^|[.@:_])(log|logger|LOG|LOGGER)$")
  (#any-of? @_word "debug" "info" "warn" "error" "fatal" "unknown" "log" "add" "tagged" "trace" "notice"))
((call receiver: (_) @_log method: (identifier) @_word) @arid.logging
  (#any-of? @_log "$stderr" "$stdout" "STDERR" "STDOUT" "Kernel")
  (#any-of? @_word "puts" "print" "printf" "warn" "write" "flush" "p"))
((call receiver: (identifier) @_binding method: (identifier) @_word) @arid.logging
  (#eq? @_binding "binding") (#any-of? @_word "pry" "irb"))
((call receiver: (_) @_who) @arid.metrics
  (#match? @_who "(^|[.@:_])(metrics?|statsd|StatsD|tracer|span|telemetry)$"))
((call method: (identifier) @_word) @arid.sleep (#eq? @_word "sleep"))

((if condition: (call receiver: (_) @_log method: (identifier) @_word)) @arid.log-guard
  (#match? @_log "(^|[.@:_])(log|logger|LOG|LOGGER)$") (#match? @_word "^(debug|info|warn|error|fatal)[?]$"))
((if_modifier condition: (call receiver: (_) @_log method: (identifier) @_word)) @arid.log-guard
  (#match? @_log "(^|[.@:_])(log|logger|LOG|LOGGER)$") (#match? @_word "^(debug|info|warn|error|fatal)[?]$"))
(if condition: (binary left: (file)) @_condition) @arid.main-guard
(if condition: (binary right: (file)) @_condition) @arid.main-guard

((method name: (identifier) @_name body: (_) @arid.text-form)
  (#any-of? @_name "inspect" "to_s" "hash" "pretty_print" "pretty_inspect" "respond_to_missing?"))

((method body: (body_statement . (call !receiver method: (identifier) @_word arguments: (argument_list . (constant) @_error)) .) @arid.abstract)
  (#any-of? @_word "raise" "fail") (#match? @_error "^NotImplemented"))

; What is kept for later gives the same value when it is made again.
(method body: (body_statement . (operator_assignment left: (instance_variable) operator: "||=" @arid.memo) .))
(singleton_method body: (body_statement . (operator_assignment left: (instance_variable) operator: "||=" @arid.memo) .))

((pair key: (hash_key_symbol) @_word value: (_) @arid.tuning-argument)
  (#any-of? @_word "timeout" "open_timeout" "read_timeout" "max_size" "pool_size" "buffer_size" "chunk_size" "ttl" "expires_in" "uplevel"))

(class body: (body_statement (assignment left: (constant) @_name) @arid.module-name) (#eq? @_name "VERSION"))
(module body: (body_statement (assignment left: (constant) @_name) @arid.module-name) (#eq? @_name "VERSION"))

; The names of constants that are false, for code behind them.
(program (assignment left: (constant) @switch.off right: [(false) (nil)]))
(module body: (body_statement (assignment left: (constant) @switch.off right: [(false) (nil)])))
(class body: (body_statement (assignment left: (constant) @switch.off right: [(false) (nil)])))
(assignment left: (constant) @switch.set)
