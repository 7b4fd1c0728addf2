/* A build test: compiles if Clang, its linker and its bundler can make code objects. */
__attribute__((global)) void probe(int *to)
{
    *to = (int)__builtin_amdgcn_workitem_id_x();
}
