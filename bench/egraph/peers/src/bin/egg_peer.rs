//! egg on the benchmarks of the e-graph room: `egg_peer math RULES TERMS ITERATIONS` and
//! `egg_peer closure LEAVES TERMS UNIONS LAYERED`. One line of figures each.
use egg::*;
use std::time::{Duration, Instant};

fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("VmHWM: 0 kB");
    line.split_whitespace().nth(1).and_then(|v| v.parse::<u64>().ok()).unwrap_or(0) / 1024
}

define_language! {
    enum Math {
        "d" = Diff([Id; 2]),
        "i" = Integral([Id; 2]),
        "+" = Add([Id; 2]),
        "-" = Sub([Id; 2]),
        "*" = Mul([Id; 2]),
        "/" = Div([Id; 2]),
        "pow" = Pow([Id; 2]),
        "ln" = Ln(Id),
        "sqrt" = Sqrt(Id),
        "sin" = Sin(Id),
        "cos" = Cos(Id),
        Constant(i64),
        Symbol(Symbol),
    }
}

fn rules(file: &str) -> Vec<Rewrite<Math, ()>> {
    let text = std::fs::read_to_string(file).expect("rules");
    text.lines()
        .filter(|l| !l.trim_start().starts_with(';') && !l.trim().is_empty())
        .map(|line| {
            let (name, rest) = line.split_once(':').expect("name:");
            let (left, right) = rest.split_once("=>").expect("=>");
            let left: Pattern<Math> = left.trim().parse().expect("left");
            let right: Pattern<Math> = right.trim().parse().expect("right");
            Rewrite::new(name, left, right).expect("rule")
        })
        .collect()
}

fn math(args: &[String]) {
    let rules = rules(&args[0]);
    let mut runner = Runner::<Math, ()>::default()
        .with_iter_limit(args[2].parse().expect("iterations"))
        .with_node_limit(usize::MAX)
        .with_time_limit(Duration::from_secs(3600))
        .with_scheduler(SimpleScheduler);
    for line in std::fs::read_to_string(&args[1]).expect("terms").lines() {
        runner = runner.with_expr(&line.parse().expect("term"));
    }
    let start = Instant::now();
    let runner = runner.run(&rules);
    let time = start.elapsed().as_secs_f64();
    println!("egg math{} seconds {:.4} nodes {} classes {} peakMB {}", args[2], time,
        runner.egraph.total_number_of_nodes(), runner.egraph.number_of_classes(), peak_mb());
}

define_language! {
    enum Binary {
        "f" = F([Id; 2]),
        "g" = G([Id; 2]),
        Leaf(u32),
    }
}

struct Xorshift(u64);
impl Xorshift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn closure(args: &[String]) {
    let number = |i: usize| args[i].parse::<u64>().expect("number");
    let (leaves, terms, unions, layered) = (number(0), number(1), number(2), args[3] == "true");
    let mut x = Xorshift(88172645463325252);
    let mut g = EGraph::<Binary, ()>::default();
    let mut ids: Vec<Id> = (0..leaves).map(|i| g.add(Binary::Leaf(i as u32))).collect();
    let start = Instant::now();
    for _ in 0..terms {
        let m = if layered { ids.len() as u64 } else { leaves };
        let (a, b) = (ids[(x.next() % m) as usize], ids[(x.next() % m) as usize]);
        let id = if x.next() % 2 == 0 { g.add(Binary::F([a, b])) } else { g.add(Binary::G([a, b])) };
        ids.push(id);
    }
    let build = start.elapsed().as_secs_f64();
    g.rebuild();
    for _ in 0..unions {
        let (a, b) = (ids[(x.next() % leaves) as usize], ids[(x.next() % leaves) as usize]);
        g.union(a, b);
    }
    let start = Instant::now();
    g.rebuild();
    println!("egg closure/{}/{}/{}/{} seconds {:.4} classes {} adds/s {:.0} peakMB {}", leaves, terms, unions, layered,
        start.elapsed().as_secs_f64(), g.number_of_classes(), terms as f64 / build, peak_mb());
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("math") => math(&args[1..]),
        Some("closure") => closure(&args[1..]),
        _ => panic!("egg_peer math RULES TERMS ITERATIONS | closure LEAVES TERMS UNIONS LAYERED"),
    }
}
