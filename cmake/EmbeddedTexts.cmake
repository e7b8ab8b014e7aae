# convscope_embed(NAMESPACE FUNCTION FILE...)   writes FUNCTION_text.cpp into the build's folder, with the text of files whose
# paths are from the repository's root: std::span<const EmbeddedText> NAMESPACE::FUNCTION().
function(convscope_embed namespace function)
    set(entries "")
    foreach(file IN LISTS ARGN)
        file(READ ${PROJECT_SOURCE_DIR}/${file} text)
        string(APPEND entries "        {\"${file}\", R\"text(${text})text\"},\n")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
    endforeach()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded_texts.cpp.in ${function}_text.cpp @ONLY)
    # Alone, so that a changed text costs little.
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${function}_text.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
