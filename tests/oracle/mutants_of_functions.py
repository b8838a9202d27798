"""Changes to a GraphDef's library of functions; `made` is the graph, `one` chooses."""

FLOAT, DOUBLE, INT32, STRING, INT64, BOOL, RESOURCE, VARIANT = 1, 2, 3, 7, 9, 10, 20, 21
TYPES = [FLOAT, DOUBLE, INT32, STRING, INT64, BOOL, RESOURCE, VARIANT, 0, 14, 19, 101, 9999]


class LibraryMutations:
    def mutate_remove_function(self):
        functions = self.made.library.function
        if not functions:
            return None
        at = self.rng.randint(len(functions))
        name = functions[at].signature.name
        del functions[at]
        return repr(name)

    def mutate_function_name(self):
        functions = self.made.library.function
        if not functions:
            return None
        function = self.one(functions)
        old, function.signature.name = (
            function.signature.name,
            self.one(["MatMul", "other", self.one(functions).signature.name]),
        )
        return f"{old!r} -> {function.signature.name!r}"

    def mutate_copy_function(self):
        functions = self.made.library.function
        if not functions:
            return None
        copy = functions.add()
        copy.CopyFrom(self.one(functions[:-1]))
        if self.rng.randint(2) and copy.node_def:
            copy.node_def[0].name += "_x"
        return repr(copy.signature.name)

    def mutate_return(self):
        functions = [function for function in self.made.library.function if function.ret]
        if not functions:
            return None
        function = self.one(functions)
        key = self.one(sorted(function.ret))
        change = self.rng.randint(3)
        if change == 0:
            del function.ret[key]
        elif change == 1:
            function.ret[key] += self.one([":1", "x", ":0"])
        else:
            function.ret[key] = self.one(sorted(function.ret.values()))
        return f"{function.signature.name!r}: {key}"

    def mutate_signature(self):
        functions = [f for f in self.made.library.function if f.signature.input_arg or f.signature.output_arg]
        if not functions:
            return None
        signature = self.one(functions).signature
        arg = self.one([*signature.input_arg, *signature.output_arg])
        change = self.rng.randint(3)
        if change == 0:
            arg.type = self.one(TYPES)
        elif change == 1:
            arg.name += self.one(["_x", " ", ""])
        else:
            arg.type_attr = "T"
        return f"{signature.name!r}: {arg.name}"

    def mutate_called(self):
        names = [f.signature.name for f in self.made.library.function]
        nodes = [
            node for node in self.nodes if any(value.WhichOneof("value") == "func" for value in node.attr.values())
        ]
        if not nodes or not names:
            return None
        node = self.one(nodes)
        name = self.attr(node, ["func"])
        node.attr[name].func.name = self.one([*names, "nope"])
        return f"{node.name!r}: {name} = {node.attr[name].func.name!r}"
