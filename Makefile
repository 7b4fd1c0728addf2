# make demo: build for the processors of this machine and score a generated clip. make test: everything that can be
# checked here. Both install missing Debian packages when they may; the work is Meson's.

BUILD_PACKAGES = gcc libc6-dev meson ninja-build pkg-config libavformat-dev libavcodec-dev libavutil-dev libpng-dev \
	libjansson-dev
VIEW_PACKAGES = libmicrohttpd-dev
GPU_PACKAGES = glslang-tools libvulkan-dev libvulkan-volk-dev libffmpeg-nvenc-dev
TEST_PACKAGES = $(BUILD_PACKAGES) $(GPU_PACKAGES) nettle-dev g++ python3 ffmpeg clang clang-format libclang-rt-dev libcmocka-dev \
	libxml2-utils gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static spirv-tools \
	mesa-vulkan-drivers vulkan-validationlayers

demo: build/build.ninja
	ninja -C build tools/fovea
	build/tools/fovea demo

build/build.ninja:
	@scripts/packages $(BUILD_PACKAGES) --optional $(GPU_PACKAGES) $(VIEW_PACKAGES)
	meson setup build

test:
	@scripts/packages $(TEST_PACKAGES) --optional $(VIEW_PACKAGES)
	scripts/test

.PHONY: demo test
