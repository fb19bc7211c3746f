# Runs PROGRAM and compares what it prints with the file EXPECTED, byte for byte.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed RESULT_VARIABLE code)
if(NOT code EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ended with ${code} after printing:\n${printed}")
endif()
file(READ ${EXPECTED} expected)
if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "${PROGRAM} printed:\n${printed}\nbut ${EXPECTED} has:\n${expected}")
endif()
