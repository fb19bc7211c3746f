# Makes a C file of the folders in templates/: cmake -D FOLDER=... -D OUTPUT=... -P embed.cmake
#
# As numbers, since a string of that length is more than ISO C promises a compiler to take. A line
# my_find_cosm stands for find_cosm.cmake, which all kinds share.
set(texts "")
file(READ ${FOLDER}/find_cosm.cmake find_cosm HEX)
string(HEX "my_find_cosm\n" find_line)
foreach(kind env game)
    file(GLOB names LIST_DIRECTORIES false RELATIVE ${FOLDER}/${kind} ${FOLDER}/${kind}/*)
    list(SORT names)
    set(rows "")
    foreach(name IN LISTS names)
        file(READ ${FOLDER}/${kind}/${name} bytes HEX)
        string(REPLACE "${find_line}" "${find_cosm}" bytes "${bytes}")
        string(MAKE_C_IDENTIFIER "text_${kind}_${name}" id)
        string(LENGTH "${bytes}" digits)
        math(EXPR length "${digits} / 2")
        string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
        string(APPEND texts "static const char ${id}[] = {\n${bytes}\n};\n")
        string(APPEND rows "    {\"${name}\", ${id}, ${length}},\n")
    endforeach()
    list(LENGTH names count)
    string(APPEND texts "static const struct template_file ${kind}_files[] = {\n${rows}};\n"
        "const struct template template_${kind} = {${kind}_files, ${count}};\n")
endforeach()
file(WRITE ${OUTPUT} "// The files of tools/cosm/templates, as embed.cmake found them.\n"
    "#include \"new.h\"\n\n${texts}")
