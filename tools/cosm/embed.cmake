# Makes a C file of the files in templates/: cmake -D FOLDER=... -D OUTPUT=... -P embed.cmake
#
# As numbers, since a string of that length is more than ISO C promises a compiler to take.
file(GLOB names LIST_DIRECTORIES false RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT names)
set(texts "")
set(rows "")
foreach(name IN LISTS names)
    file(READ ${FOLDER}/${name} bytes HEX)
    string(MAKE_C_IDENTIFIER "text_${name}" id)
    string(LENGTH "${bytes}" digits)
    math(EXPR length "${digits} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND texts "static const char ${id}[] = {\n${bytes}\n};\n")
    string(APPEND rows "    {\"${name}\", ${id}, ${length}},\n")
endforeach()
list(LENGTH names count)
file(WRITE ${OUTPUT} "// The files of tools/cosm/templates, as embed.cmake found them.\n"
    "#include \"new.h\"\n\n${texts}\n"
    "const struct template_file template_files[] = {\n${rows}};\n"
    "const size_t template_file_count = ${count};\n")
