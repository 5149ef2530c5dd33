# Options for gyre's own targets, never for its consumers.
#
# -ffp-contract=off: executors are compared bit for bit, and a fused multiply-add on one of them
# alone would show.
# g++ 12 warns wrongly of overlapping copies in std::string (GCC bug 105651) and of uninitialized
# members of variants that it inlines. Files that are compiled together see what each has in scope, so
# a name of one shadows nothing that its author could know of.
add_library(gyre_compile_options INTERFACE)
target_compile_options(gyre_compile_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wnon-virtual-dtor
    -ffp-contract=off -fno-fast-math>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>>:-Wshadow>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict -Wno-maybe-uninitialized>)
if(GYRE_SANITIZE)
  target_compile_options(gyre_compile_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=all
      -fno-omit-frame-pointer>)
  target_link_options(gyre_compile_options INTERFACE -fsanitize=address,undefined)
endif()
