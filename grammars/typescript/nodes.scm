; What TypeScript has beside JavaScript: types, and what only they need.

; ---- code that is never touched -------------------------------------------------------------------------------------------------
[
  (type_annotation)
  (type_predicate_annotation)
  (asserts_annotation)
  (omitting_type_annotation)
  (opting_type_annotation)
  (adding_type_annotation)
  (type_arguments)
  (type_parameters)
  (type_alias_declaration)
  (interface_declaration)
  (ambient_declaration)
  (enum_declaration)
  (import_alias)
  (implements_clause)
  (extends_type_clause)
  (function_signature)
  (method_signature)
  (abstract_method_signature)
  (index_signature)
  (predefined_type)
  (literal_type)
  (template_literal_type)
  (union_type)
  (intersection_type)
  (conditional_type)
  (object_type)
  (function_type)
  (constructor_type)
  (array_type)
  (tuple_type)
  (generic_type)
  (lookup_type)
  (index_type_query)
  (type_query)
  (readonly_type)
  (parenthesized_type)
  (infer_type)
] @skip

; ---- scopes ---------------------------------------------------------------------------------------------------------------------
(abstract_class_declaration) @class
(abstract_class_declaration name: (_) @class.name) @class
[(internal_module) (module)] @class
(internal_module name: (_) @class.name) @class
(module name: (_) @class.name) @class
(export_statement declaration: [(abstract_class_declaration) (internal_module) (module)]) @decorated

(function_declaration return_type: (type_annotation (_) @function.result)) @function
(function_expression return_type: (type_annotation (_) @function.result)) @function
(arrow_function return_type: (type_annotation (_) @function.result)) @function
(method_definition return_type: (type_annotation (_) @function.result)) @function
; What an async function returns is what its promise holds; this match says more than the one above.
((function_declaration "async" return_type: (type_annotation
  (generic_type name: (type_identifier) @_word type_arguments: (type_arguments . (_) @function.result .) @skip))) @function
  (#eq? @_word "Promise"))
((function_expression "async" return_type: (type_annotation
  (generic_type name: (type_identifier) @_word type_arguments: (type_arguments . (_) @function.result .) @skip))) @function
  (#eq? @_word "Promise"))
((arrow_function "async" return_type: (type_annotation
  (generic_type name: (type_identifier) @_word type_arguments: (type_arguments . (_) @function.result .) @skip))) @function
  (#eq? @_word "Promise"))
((method_definition "async" return_type: (type_annotation
  (generic_type name: (type_identifier) @_word type_arguments: (type_arguments . (_) @function.result .) @skip))) @function
  (#eq? @_word "Promise"))
; `x is T`: a function that decides.
(function_declaration return_type: (type_predicate_annotation (type_predicate "is" @function.result))) @function
(function_expression return_type: (type_predicate_annotation (type_predicate "is" @function.result))) @function
(arrow_function return_type: (type_predicate_annotation (type_predicate "is" @function.result))) @function
(method_definition return_type: (type_predicate_annotation (type_predicate "is" @function.result))) @function

; ---- probes ---------------------------------------------------------------------------------------------------------------------
[(as_expression) (satisfies_expression) (non_null_expression)] @expression
; A mark or a type belongs to exactly what stands before it.
(as_expression . (_) @spine)
(satisfies_expression . (_) @spine)
(non_null_expression (_) @spine)
(instantiation_expression . (_) @spine)
(extends_clause value: (_) @spine)

; ---- values ---------------------------------------------------------------------------------------------------------------------
((as_expression (predefined_type) @_word) @sequence
  (#eq? @_word "string"))
((as_expression (predefined_type) @_word) @shape.boolean
  (#eq? @_word "boolean"))
