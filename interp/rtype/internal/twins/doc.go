// Package twins declares types of every form. The tests of rtype compile it, and type-check the
// same source to make runtime types from it: the two must not differ in anything that a program can
// see.
package twins
