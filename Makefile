# make demo: build and score a generated clip. make test: everything that can be checked on this machine.
# Both install missing Debian packages when they may; the work is Meson's.

BUILD_PACKAGES = gcc libc6-dev meson ninja-build pkg-config libavformat-dev libavcodec-dev libavutil-dev libpng-dev
TEST_PACKAGES = $(BUILD_PACKAGES) nettle-dev g++ python3 ffmpeg clang clang-format libclang-rt-dev libcmocka-dev libjansson-dev \
	libxml2-utils gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static glslang-tools spirv-tools \
	libvulkan-dev libvulkan-volk-dev mesa-vulkan-drivers vulkan-validationlayers libffmpeg-nvenc-dev

demo: build/build.ninja
	ninja -C build tools/fovea
	build/tools/fovea demo

build/build.ninja:
	@scripts/packages $(BUILD_PACKAGES)
	meson setup build

test:
	@scripts/packages $(TEST_PACKAGES)
	scripts/test

.PHONY: demo test
