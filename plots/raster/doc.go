// Package raster makes the PNG twin of an SVG that this project drew: front ends do not show the
// SVG of a notebook that is not trusted yet, and pages outside of JupyterLab show none at all.
//
// PNG (raster.go) reads the elements; style.go has what they inherit, path.go the outlines, text.go
// the letters, in Liberation's fonts. It knows the elements and attributes that our own pictures
// use: groups, rectangles, circles, paths, texts, and markers at the end of a path. Anything else
// is an UnsupportedError, and the picture stays without a twin rather than with a wrong one.
package raster
