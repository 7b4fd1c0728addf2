# make demo builds the command and scores a generated clip. make test builds everything and tests it; make test-builds
# does so under sanitizers, for ARM, and with fuzzing. All install missing Debian packages when they may; the work is
# Meson's.

BUILD_PACKAGES = gcc libc6-dev meson ninja-build pkg-config libavformat-dev libavcodec-dev libavutil-dev libpng-dev
VIEW_PACKAGES = libmicrohttpd-dev
PYTHON_PACKAGES = python3-dev
GPU_PACKAGES = glslang-tools libvulkan-dev libvulkan-volk-dev libffmpeg-nvenc-dev
TEST_PACKAGES = $(BUILD_PACKAGES) $(GPU_PACKAGES) nettle-dev g++ python3 ffmpeg clang-format libcmocka-dev \
    libxml2-utils \
	spirv-tools mesa-vulkan-drivers vulkan-validationlayers
BUILDS_PACKAGES = $(TEST_PACKAGES) clang libclang-rt-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static

# The kernels for GPUs take half of the building, and those of two instruction sets a third of the rest. The
# demonstration leaves them out where no GPU is, by the same files as src/device_select/devices.c.
NO_GPU = $(if $(wildcard /dev/nvidiactl /dev/dri /dev/kfd /dev/dxg),,-cpu)

demo: build/build.ninja
	@$(if $(NO_GPU),echo "no GPU here: built without kernels for GPUs; 'ninja -C build' builds everything",:)
	ninja -C build tools/fovea$(NO_GPU)
	build/tools/fovea$(NO_GPU) demo

build/build.ninja:
	@scripts/packages $(BUILD_PACKAGES) --optional $(GPU_PACKAGES) $(VIEW_PACKAGES) $(PYTHON_PACKAGES)
	meson setup build

test:
	@scripts/packages $(TEST_PACKAGES) --optional $(VIEW_PACKAGES) $(PYTHON_PACKAGES) python3-numpy mypy fish zsh
	scripts/test

test-builds:
	@scripts/packages $(BUILDS_PACKAGES) --optional $(VIEW_PACKAGES)
	scripts/test builds

.PHONY: demo test test-builds
