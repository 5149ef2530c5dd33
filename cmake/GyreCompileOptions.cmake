# Options for gyre's own targets, never for its consumers.
#
# -ffp-contract=off: executors are compared bit for bit, and a fused multiply-add on one of them
# alone would show.
# g++ 12 warns wrongly of overlapping copies in std::string (GCC bug 105651) and of uninitialized
# members of variants that it inlines.
add_library(gyre_compile_options INTERFACE)
target_compile_options(gyre_compile_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    -ffp-contract=off -fno-fast-math>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict -Wno-maybe-uninitialized>)
if(GYRE_SANITIZE)
  target_compile_options(gyre_compile_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=all
      -fno-omit-frame-pointer>)
  target_link_options(gyre_compile_options INTERFACE -fsanitize=address,undefined)
endif()
