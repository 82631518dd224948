package ptx

// formTable is the instruction set, one row a form: name | opcode | modifiers | types | operands |
// section, and goes on in the next line behind a "|". Operands are d (written) and s (read), in
// order, with what they are where that is not the first type (parseSlot).
const formTable = `
add.int | add | | INT | d s s | 9.7.1.1
add.sat | add | sat | s32 | d s s | 9.7.1.1
add.packed16 | add | | u16x2/s16x2 | d:packed s:packed s:packed | 9.7.1.1
add.float | add | RND? ftz? sat? | f32/f64 | d s s | 9.7.3.3
add.half | add | rn? ftz? sat? | HALF | d s s | 9.7.4.1
sub.int | sub | | INT | d s s | 9.7.1.2
sub.sat | sub | sat | s32 | d s s | 9.7.1.2
sub.float | sub | RND? ftz? sat? | f32/f64 | d s s | 9.7.3.4
sub.half | sub | rn? ftz? sat? | HALF | d s s | 9.7.4.2
mul.lohi | mul | lo/hi! | INT | d s s | 9.7.1.3
mul.wide | mul | wide! | u16/u32/s16/s32 | d:wide s s | 9.7.1.3
mul.float | mul | RND? ftz? sat? | f32/f64 | d s s | 9.7.3.5
mul.half | mul | rn? ftz? sat? | HALF | d s s | 9.7.4.3
mad.lohi | mad | lo/hi! | INT | d s s s | 9.7.1.4
mad.sat | mad | hi! sat | s32 | d s s s | 9.7.1.4
mad.wide | mad | wide! | u16/u32/s16/s32 | d:wide s s s:wide | 9.7.1.4
mad.float | mad | RND ftz? sat? | f32/f64 | d s s s | 9.7.3.7
mul24 | mul24 | lo/hi! | INT32 | d s s | 9.7.1.5
mad24 | mad24 | lo/hi! | INT32 | d s s s | 9.7.1.6
sad | sad | | INT | d s s s | 9.7.1.7
div.int | div | | INT | d s s | 9.7.1.8
div.float | div | approx/full/RND ftz? | f32/f64 | d s s | 9.7.3.8
rem | rem | | INT | d s s | 9.7.1.9
abs.int | abs | | s16/s32/s64 | d s | 9.7.1.10
abs.float | abs | ftz? | f32/f64 | d s | 9.7.3.9
abs.half | abs | ftz? | HALF | d s | 9.7.4.7
neg.int | neg | | s16/s32/s64 | d s | 9.7.1.11
neg.float | neg | ftz? | f32/f64 | d s | 9.7.3.10
neg.half | neg | ftz? | HALF | d s | 9.7.4.6
min.int | min | | INT | d s s | 9.7.1.12
min.packed16 | min | relu? | u16x2/s16x2 | d:packed s:packed s:packed | 9.7.1.12
min.float | min | ftz? NaN? xorsign? abs? | f32/f64 | d s s s? | 9.7.3.11
min.half | min | ftz? NaN? xorsign? abs? | HALF | d s s | 9.7.4.8
max.int | max | | INT | d s s | 9.7.1.13
max.packed16 | max | relu? | u16x2/s16x2 | d:packed s:packed s:packed | 9.7.1.13
max.float | max | ftz? NaN? xorsign? abs? | f32/f64 | d s s s? | 9.7.3.12
max.half | max | ftz? NaN? xorsign? abs? | HALF | d s s | 9.7.4.9
popc | popc | | b32/b64 | d:u32 s | 9.7.1.14
clz | clz | | b32/b64 | d:u32 s | 9.7.1.15
bfind | bfind | shiftamt? | u32/u64/s32/s64 | d:u32 s | 9.7.1.16
fns | fns | | b32 | d s s s | 9.7.1.17
brev | brev | | b32/b64 | d s | 9.7.1.18
bfe | bfe | | u32/u64/s32/s64 | d s s:byte s:byte | 9.7.1.19
bfi | bfi | | b32/b64 | d s s s:byte s:byte | 9.7.1.20
szext | szext | clamp/wrap | INT32 | d s s:u32 | 9.7.1.21
bmsk | bmsk | clamp/wrap | b32 | d:u32 s:u32 s:u32 | 9.7.1.22
dp4a | dp4a | | INT32 INT32 | d:s32 s:u32 s:u32 s:s32 | 9.7.1.23
dp2a | dp2a | lo/hi! | INT32 INT32 | d:s32 s:u32 s:u32 s:s32 | 9.7.1.24
vabsdiff2 | vabsdiff2 | add? | INT32 INT32 INT32 | d:0 s:1! s:2! s:0! | 9.7.18.1
vabsdiff4 | vabsdiff4 | add? | INT32 INT32 INT32 | d:0 s:1! s:2! s:0! | 9.7.18.2
add.cc | add | cc | u32/s32/u64/s64 | d s s | 9.7.2.1
addc | addc | cc? | u32/s32/u64/s64 | d s s | 9.7.2.2
sub.cc | sub | cc | u32/s32/u64/s64 | d s s | 9.7.2.3
subc | subc | cc? | u32/s32/u64/s64 | d s s | 9.7.2.4
mad.cc | mad | lo/hi! cc | u32/s32/u64/s64 | d s s s | 9.7.2.5
madc | madc | lo/hi! cc? | u32/s32/u64/s64 | d s s s | 9.7.2.6
testp | testp | finite/infinite/number/notanumber/normal/subnormal | f32/f64 | d:pred s | 9.7.3.1
copysign | copysign | | f32/f64 | d s s | 9.7.3.2
fma.float | fma | RND ftz? sat? | f32/f64 | d s s s | 9.7.3.6
fma.half | fma | rn ftz? sat? relu? | HALF | d s s s | 9.7.4.4
rcp | rcp | approx/RND ftz? | f32/f64 | d s | 9.7.3.13
sqrt | sqrt | approx/RND ftz? | f32/f64 | d s | 9.7.3.15
rsqrt | rsqrt | approx ftz? | f32/f64 | d s | 9.7.3.16
sin | sin | approx ftz? | f32 | d s | 9.7.3.18
cos | cos | approx ftz? | f32 | d s | 9.7.3.19
lg2 | lg2 | approx ftz? | f32 | d s | 9.7.3.20
ex2 | ex2 | approx ftz? | f32 | d s | 9.7.3.21
ex2.half | ex2 | approx ftz? | HALF | d s | 9.7.4.11
tanh | tanh | approx | f32 | d s | 9.7.3.22
tanh.half | tanh | approx | HALF | d s | 9.7.4.10
set | set | REL BOOL? ftz? | u32/s32/f32 CMP | d:0 s:1 s:1 s:pred? | 9.7.6.1
set.half | set | REL BOOL? ftz? | u16/s16/u32/s32/f16/bf16/f16x2/bf16x2 HALF | d:0 s:1 s:1 s:pred? | 9.7.7.1
setp | setp | REL BOOL? ftz? | CMP | d:preds s s s:pred? | 9.7.6.2
setp.half | setp | REL BOOL? ftz? | HALF | d:preds s s s:pred? | 9.7.7.2
selp | selp | | SIZED | d s s s:pred | 9.7.6.3
slct | slct | ftz? | SIZED s32/f32 | d:0 s:0 s:0 s:1 | 9.7.6.4
and | and | | pred/b16/b32/b64 | d s s | 9.7.8.1
or | or | | pred/b16/b32/b64 | d s s | 9.7.8.2
xor | xor | | pred/b16/b32/b64 | d s s | 9.7.8.3
not | not | | pred/b16/b32/b64 | d s | 9.7.8.4
cnot | cnot | | b16/b32/b64 | d s | 9.7.8.5
lop3 | lop3 | | b32 | d s s s s:imm | 9.7.8.6
lop3.bool | lop3 | or/and | b32 | d:+pair s s s s:imm s:pred | 9.7.8.6
shf | shf | l/r! clamp/wrap | b32 | d s s s:u32 | 9.7.8.7
shl | shl | | b16/b32/b64 | d s s:u32 | 9.7.8.8
shr | shr | | BITS/INT | d s s:u32 | 9.7.8.9
mov | mov | | pred/b16/b32/b64/b128/u16/u32/u64/s16/s32/s64/f32/f64 | d s | 9.7.9.3
shfl.sync | shfl | sync up/down/bfly/idx | b32 | d:+pred s s:u32 s:u32 s:u32 | 9.7.9.6
prmt | prmt | f4e/b4e/rc8/ecl/ecr/rc16? | b32 | d s s s | 9.7.9.7
ld | ld | weak/volatile/relaxed/acquire? SCOPE? SPACES? LDCACHE? EVICT? HINT? PREFETCH? VEC? |
MEM | d:mem s:at s:policy? | 9.7.9.8
ld.nc | ld | global LDCACHE? nc EVICT? HINT? PREFETCH? VEC? | MEM | d:mem s:at s:policy? | 9.7.9.9
ldu | ldu | global? VEC? | MEM | d:mem s:at | 9.7.9.10
st | st | weak/volatile/relaxed/release? SCOPE? STSPACES? STCACHE? EVICT? HINT? VEC? |
MEM | s:at s:mem s:policy? | 9.7.9.11
prefetch | prefetch | global/local? L1/L2LEVEL | | s:at | 9.7.9.15
prefetchu | prefetchu | L1 | | s:global | 9.7.9.15
applypriority | applypriority | global? L2::evict_normal | | s:at s:line | 9.7.9.16
discard | discard | global? L2 | | s:at s:line | 9.7.9.17
isspacep | isspacep | global/shared/shared::cta/local/const/param/param::entry | | d:pred s:address | 9.7.9.19
isspacep.cluster | isspacep | shared::cluster | | d:pred s:address | 9.7.9.19
cvta | cvta | to?! global/shared/shared::cta/shared::cluster/local/const/param/param::entry |
u32/u64 | d s:convertible | 9.7.9.20
cvt | cvt | CROUND? ftz? sat? relu? | CVT CVT | d:cvt0 s:cvt1 | 9.7.9.21
cvt.pack2 | cvt | rn/rz relu? satfinite? | f16x2/bf16x2 f32 | d:0 s:1 s:1 | 9.7.9.21
cvt.pack.bytes | cvt | rn satfinite relu? | e4m3x2/e5m2x2 f32 | d:f8 s:1 s:1 | 9.7.9.21
cvt.bytes | cvt | rn satfinite relu? | e4m3x2/e5m2x2 f16x2 | d:f8 s:1 | 9.7.9.21
cvt.from.bytes | cvt | rn relu? | f16x2 e4m3x2/e5m2x2 | d:0 s:f8 | 9.7.9.21
cvt.tf32 | cvt | rna/rn/rz relu? satfinite? | tf32 f32 | d:packed s:1 | 9.7.9.21
cvt.pack | cvt | pack sat | u16/s16 s32 | d:cvt:u32 s:cvt:s32 s:cvt:s32 | 9.7.9.22
cvt.pack4 | cvt | pack sat | u8/s8 s32 b32 | d:cvt:u32 s:cvt:s32 s:cvt:s32 s:cvt:b32 | 9.7.9.22
bra | bra | uni? | | s:label | 9.7.12.3
brx.idx | brx | idx! uni? | | s:u32 s:targets | 9.7.12.4
call | call | uni? | | s:* s:*? s:*? s:*? | 9.7.12.5
ret | ret | uni? | | | 9.7.12.6
exit | exit | | | | 9.7.12.7
bar.sync | bar | cta?! sync! | | s:barrier s:threads? | 9.7.13.1
bar.arrive | bar | cta?! arrive! | | s:barrier s:arriving | 9.7.13.1
bar.red.popc | bar | cta?! red! popc | u32 | d s:barrier s:voters s:pred? | 9.7.13.1
bar.red.bool | bar | cta?! red! and/or | pred | d s:barrier s:voters s:pred? | 9.7.13.1
barrier.sync | barrier | cta?! sync! aligned? | | s:barrier s:threads? | 9.7.13.1
barrier.arrive | barrier | cta?! arrive! aligned? | | s:barrier s:arriving | 9.7.13.1
barrier.red.popc | barrier | cta?! red! popc aligned? | u32 | d s:barrier s:voters s:pred? | 9.7.13.1
barrier.red.bool | barrier | cta?! red! and/or aligned? | pred | d s:barrier s:voters s:pred? | 9.7.13.1
bar.warp.sync | bar | warp! sync! | | s:u32 | 9.7.13.2
membar | membar | cta/gl/sys | | | 9.7.13.4
fence | fence | sc/acq_rel/acquire/release? SCOPE | | | 9.7.13.4
atom.int | atom | SEM? SCOPE? ATOMSPACE? add/min/max HINT? | u32/s32/u64/s64 | d s:at s s:policy? | 9.7.13.5
atom.float | atom | SEM? SCOPE? ATOMSPACE? add HINT? | f32/f64 | d s:at s s:policy? | 9.7.13.5
atom.half | atom | SEM? SCOPE? ATOMSPACE? add noftz HINT? | f16/f16x2/bf16/bf16x2 | d s:at s s:policy? | 9.7.13.5
atom.wrap | atom | SEM? SCOPE? ATOMSPACE? inc/dec HINT? | u32 | d s:at s s:policy? | 9.7.13.5
atom.bits | atom | SEM? SCOPE? ATOMSPACE? and/or/xor/exch HINT? | b32/b64 | d s:at s s:policy? | 9.7.13.5
atom.cas | atom | SEM? SCOPE? ATOMSPACE? cas HINT? | b16/b32/b64 | d s:at s s s:policy? | 9.7.13.5
red.int | red | relaxed/release? SCOPE? ATOMSPACE? add/min/max HINT? | u32/s32/u64/s64 | s:at s s:policy? | 9.7.13.7
red.float | red | relaxed/release? SCOPE? ATOMSPACE? add HINT? | f32/f64 | s:at s s:policy? | 9.7.13.7
red.half | red | relaxed/release? SCOPE? ATOMSPACE? add noftz HINT? | f16/f16x2/bf16/bf16x2 |
s:at s s:policy? | 9.7.13.7
red.wrap | red | relaxed/release? SCOPE? ATOMSPACE? inc/dec HINT? | u32 | s:at s s:policy? | 9.7.13.7
red.bits | red | relaxed/release? SCOPE? ATOMSPACE? and/or/xor HINT? | b32/b64 | s:at s s:policy? | 9.7.13.7
vote.bool | vote | sync all/any/uni | pred | d s:pred s:u32 | 9.7.13.9
vote.ballot | vote | sync ballot | b32 | d s:pred s:u32 | 9.7.13.9
match.any | match | any sync | b32/b64 | d:u32 s s:u32 | 9.7.13.10
match.all | match | all sync | b32/b64 | d:u32+pred s s:u32 | 9.7.13.10
activemask | activemask | | b32 | d | 9.7.13.11
redux.int | redux | sync add/min/max | u32/s32 | d:u32 s:u32 s:u32 | 9.7.13.12
redux.bits | redux | sync and/or/xor | b32 | d:u32 s:u32 s:u32 | 9.7.13.12
elect | elect | sync | | d:u32+pair s:u32 | 9.7.13.15
nanosleep | nanosleep | | u32 | s:u32 | 9.7.19.2
pmevent | pmevent | mask? | | s:event | 9.7.19.3
trap | trap | | | | 9.7.19.4
brkpt | brkpt | | | | 9.7.19.1
alloca | alloca | | u32/u64 | d s s:imm? | 9.7.15.3
stacksave | stacksave | | u32/u64 | d | 9.7.15.1
stackrestore | stackrestore | | u32/u64 | s! | 9.7.15.2
cp.async | cp | async! ca/cg shared/shared::cta global HINT? PREFETCH? | |
s:shared s:global s:copied s:*? s:*? | 9.7.9.25.3.1
cp.async.commit | cp | async! commit_group! | | | 9.7.9.25.3.2
cp.async.wait | cp | async! wait_group! | | s:imm | 9.7.9.25.3.3
cp.async.waitall | cp | async! wait_all! | | | 9.7.9.25.3.3
cp.bulk.load | cp | async! bulk! shared::cluster/shared::cta! global! COMPLETE HINT? |
| s:shared s:global s:sixteens s:shared s:policy? | 9.7.9.25.4.1
cp.bulk.store | cp | async! bulk! global! shared::cta! bulk_group HINT? | |
s:global s:shared s:sixteens s:policy? | 9.7.9.25.4.1
cp.bulk.commit | cp | async! bulk! commit_group! | | | 9.7.9.25.6.1
cp.bulk.wait | cp | async! bulk! wait_group! read? | | s:imm | 9.7.9.25.6.2
cp.async.arrive | cp | async! mbarrier! arrive! noinc? shared/shared::cta? | b64 | s:at | 9.7.13.15.17
mbarrier.init | mbarrier | init! shared/shared::cta? | b64 | s:shared s:u32 | 9.7.13.15.9
mbarrier.inval | mbarrier | inval! shared/shared::cta? | b64 | s:shared | 9.7.13.15.10
mbarrier.tx | mbarrier | expect_tx/complete_tx! relaxed? CLUSTER? PEERED? | b64 | s:shared s:u32 | 9.7.13.15.11
mbarrier.arrive | mbarrier | arrive/arrive_drop! noComplete? RELEASE? CLUSTER? PEERED? |
b64 | d:u64 s:shared s:u32? | 9.7.13.15.13
mbarrier.arrive.tx | mbarrier | arrive/arrive_drop! expect_tx! RELEASE? CLUSTER? PEERED? |
b64 | d:u64 s:shared s:u32 | 9.7.13.15.13
mbarrier.test_wait | mbarrier | test_wait! parity?! ACQUIRE? CLUSTER? SHARED? | b64 |
d:pred s:shared s:phase | 9.7.13.15.16
mbarrier.try_wait | mbarrier | try_wait! parity?! ACQUIRE? CLUSTER? SHARED? |
b64 | d:pred s:shared s:phase s:u32? | 9.7.13.15.16
mbarrier.pending | mbarrier | pending_count! | b64 | d:u32 s:policy | 9.7.13.15.18
ldmatrix | ldmatrix | sync aligned m8n8 x1/x2/x4 trans? shared/shared::cta? | b16 | d:matrices s:at | 9.7.14.5.15
stmatrix | stmatrix | sync aligned m8n8 x1/x2/x4 trans? shared/shared::cta? | b16 | s:at s:matrices | 9.7.14.5.16
movmatrix | movmatrix | sync aligned m8n8 trans | b16 | d:b32 s:b32! | 9.7.14.5.17
mma.f16.f32 | mma | sync aligned m16n8k16/m16n8k8 row col |
f32 f16/bf16 f16/bf16 f32 | d:tileD s:tileA s:tileB s:tileC | 9.7.14.5.14
mma.f16.f16 | mma | sync aligned m16n8k16/m16n8k8 row col |
f16 f16 f16 f16 | d:tileD s:tileA s:tileB s:tileC | 9.7.14.5.14
mma.tf32 | mma | sync aligned m16n8k8/m16n8k4 row col |
f32 tf32 tf32 f32 | d:tileD s:tileA s:tileB s:tileC | 9.7.14.5.14
mma.int8 | mma | sync aligned INTSHAPE row col satfinite? |
s32 s8/u8 s8/u8 s32 | d:tileD s:tileA s:tileB s:tileC | 9.7.14.5.14
mma.f64 | mma | sync aligned m8n8k4 row col RND? |
f64 f64 f64 f64 | d:tileD s:tileA s:tileB s:tileC | 9.7.14.5.14
mma.f8 | mma | sync aligned m16n8k32 row col |
f32 e4m3/e5m2 e4m3/e5m2 f32 | d:tileD s:tileA s:tileB s:tileC | 9.7.14.5.14
wmma.load | wmma | load! a/b/c! sync aligned row/col WMMA global/SHARED? |
f16/bf16/tf32/s8/u8/f32/f64/s32 | d:tile s:at s:u32? | 9.7.14.4.3
wmma.store | wmma | store! d! sync aligned row/col WMMA global/SHARED? |
f16/f32/f64/s32 | s:at s:tile s:u32? | 9.7.14.4.4
wmma.half | wmma | mma! sync aligned row/col row/col WMMA satfinite? |
f16/f32 f16/f32 | d:tileD s:tileA s:tileB s:tileC | 9.7.14.4.5
wmma.mma | wmma | mma! sync aligned row/col row/col WMMA satfinite? RND? |
f32/s32/f64 bf16/tf32/s8/u8/f64 bf16/tf32/s8/u8/f64 f32/s32/f64 | d:tileD s:tileA s:tileB s:tileC | 9.7.14.4.5
fence.init | fence | mbarrier_init release cluster | | | 9.7.13.4
fence.proxy | fence | proxy! async/alias global/shared::cta? | | | 9.7.13.4
griddepcontrol | griddepcontrol | wait/launch_dependents | | | 9.7.13.13
`
