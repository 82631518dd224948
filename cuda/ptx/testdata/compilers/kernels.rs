// Compiled by rustc for nvptx64-nvidia-cuda. The target's core library is a download of its own, so the few traits that
// the kernels use are declared here, as the compiler's own tests do.
#![feature(no_core, lang_items, abi_ptx, rustc_attrs, intrinsics, link_llvm_intrinsics, auto_traits)]
#![no_core]
#![crate_type = "lib"]
#![allow(internal_features, improper_ctypes)]

#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[lang = "copy"]
pub trait Copy {}
impl Copy for i32 {}
impl Copy for u32 {}
impl Copy for f32 {}
impl Copy for bool {}
impl<T: PointeeSized> Copy for *const T {}
impl<T: PointeeSized> Copy for *mut T {}
#[lang = "legacy_receiver"]
pub trait LegacyReceiver {}
impl<T: PointeeSized> LegacyReceiver for &T {}
impl<T: PointeeSized> Copy for &T {}
#[lang = "freeze"]
unsafe auto trait Freeze {}

#[lang = "add"]
pub trait Add<R = Self> {
    type Output;
    fn add(self, r: R) -> Self::Output;
}
#[lang = "mul"]
pub trait Mul<R = Self> {
    type Output;
    fn mul(self, r: R) -> Self::Output;
}
impl Add for f32 { type Output = f32; fn add(self, r: f32) -> f32 { self + r } }
impl Mul for f32 { type Output = f32; fn mul(self, r: f32) -> f32 { self * r } }
impl Add for i32 { type Output = i32; fn add(self, r: i32) -> i32 { self + r } }
impl Mul for i32 { type Output = i32; fn mul(self, r: i32) -> i32 { self * r } }

#[lang = "partial_ord"]
pub trait PartialOrd<R = Self> {
    fn lt(&self, r: &R) -> bool;
    fn le(&self, r: &R) -> bool;
    fn gt(&self, r: &R) -> bool;
    fn ge(&self, r: &R) -> bool;
}
impl PartialOrd for i32 {
    fn lt(&self, r: &i32) -> bool { *self < *r }
    fn le(&self, r: &i32) -> bool { *self <= *r }
    fn gt(&self, r: &i32) -> bool { *self > *r }
    fn ge(&self, r: &i32) -> bool { *self >= *r }
}

#[rustc_intrinsic]
pub unsafe fn arith_offset<T>(p: *const T, n: isize) -> *const T;

unsafe extern "C" {
    #[link_name = "llvm.nvvm.read.ptx.sreg.tid.x"]
    fn thread() -> i32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.ctaid.x"]
    fn block() -> i32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.ntid.x"]
    fn threads() -> i32;
}

unsafe fn place() -> i32 {
    unsafe { block() * threads() + thread() }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn saxpy(n: i32, a: f32, x: *const f32, y: *mut f32) {
    unsafe {
        let i = place();
        if i < n {
            let at = arith_offset(y as *const f32, i as isize) as *mut f32;
            *at = a * *arith_offset(x, i as isize) + *at;
        }
    }
}

// Row i of a matrix of n columns, times x.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn row_times(n: i32, m: *const i32, x: *const i32, out: *mut i32) {
    unsafe {
        let i = place();
        let mut s = 0;
        let mut k = 0;
        while k < n {
            s = s + *arith_offset(m, (i * n + k) as isize) * *arith_offset(x, k as isize);
            k = k + 1;
        }
        *(arith_offset(out as *const i32, i as isize) as *mut i32) = s;
    }
}
