// Command image packs one static program as an OCI archive, without a daemon and without a
// base: the program is all that the image has. The same program gives the same archive.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	program := flag.String("program", "", "`FILE` of the program, static")
	arch := flag.String("arch", runtime.GOARCH, "`ARCH` that it was built for")
	name := flag.String("name", "", "`NAME:TAG` of the image")
	out := flag.String("out", "", "`FILE` of the archive")
	flag.Parse()
	if err := pack(*program, *arch, *name, *out); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// user is the one that distroless images call nonroot.
const user = "65532:65532"

// pack writes the archive of an image whose one file is the program, as /benchmark.
func pack(program, arch, name, out string) error {
	text, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read program: %w", err)
	}
	image, err := imageOf(text, arch)
	if err != nil {
		return fmt.Errorf("make image: %w", err)
	}
	dir, err := os.MkdirTemp("", "image-")
	if err != nil {
		return fmt.Errorf("make image: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system clears what is left
	at, err := layout.Write(dir, mutate.IndexMediaType(empty.Index, types.OCIImageIndex))
	if err == nil {
		err = at.AppendImage(image, layout.WithAnnotations(map[string]string{
			"io.containerd.image.name":          "docker.io/library/" + name, // as containerd calls it
			"org.opencontainers.image.ref.name": name,
		}), layout.WithPlatform(v1.Platform{OS: "linux", Architecture: arch}))
	}
	if err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	return archive(dir, out)
}

func imageOf(program []byte, arch string) (v1.Image, error) {
	var files bytes.Buffer
	w := tar.NewWriter(&files)
	err := w.WriteHeader(&tar.Header{Name: "benchmark", Mode: 0o755, Size: int64(len(program))})
	if err == nil {
		_, err = w.Write(program)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(files.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON), layer)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", arch
	config.Config = v1.Config{Entrypoint: []string{"/benchmark"}, User: user}
	return mutate.ConfigFile(image, config)
}

// archive writes the files of the directory as one, in the order of their names.
func archive(dir, out string) (err error) {
	file, err := os.Create(out)
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := tar.NewWriter(file)
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o644, Size: int64(len(text))})
		}
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
	if err = errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	return nil
}
