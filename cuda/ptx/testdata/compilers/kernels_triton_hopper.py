"""Products by tensor maps, for sm_90a: what Triton 3.6.0 made of these on an H200.

triton-tma-f8e4.ptx: mm_tma of float8_e4m3fn, BM = BN = BK = 64, 4 warps, 3 stages;
triton-tma-warps-f16.ptx: mm_tma of float16 with WS, so that warps are specialised (12 of them);
triton-tma-made-f16.ptx: mm_dev of float16, whose kernel makes the tensor maps.

c is of float32; a and b are M by K and N by K. Debug sections are left out of the texts.
"""




import triton
import triton.language as tl


@triton.jit
def mm_tma(a,b,c,M,N,K,BM:tl.constexpr,BN:tl.constexpr,BK:tl.constexpr,WS:tl.constexpr):
    pm=tl.program_id(0); pn=tl.program_id(1)
    acc=tl.zeros((BM,BN),dtype=tl.float32)
    for k in tl.range(0,K,BK,warp_specialize=WS):
        x=a.load([pm*BM,k]); y=b.load([pn*BN,k])
        acc=tl.dot(x,y.T,acc)
    c.store([pm*BM,pn*BN],acc.to(c.dtype))
@triton.jit
def mm_dev(a,b,c,M,N,K,BM:tl.constexpr,BN:tl.constexpr,BK:tl.constexpr):
    pm=tl.program_id(0); pn=tl.program_id(1)
    ad=tl.make_tensor_descriptor(a,[M,K],[K,1],[BM,BK]); bd=tl.make_tensor_descriptor(b,[N,K],[K,1],[BN,BK]); cd=tl.make_tensor_descriptor(c,[M,N],[N,1],[BM,BN])
    acc=tl.zeros((BM,BN),dtype=tl.float32)
    for k in tl.range(0,K,BK):
        acc=tl.dot(ad.load([pm*BM,k]),bd.load([pn*BN,k]).T,acc)
    cd.store([pm*BM,pn*BN],acc.to(cd.dtype))
