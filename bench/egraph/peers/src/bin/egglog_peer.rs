//! egglog on the math benchmark: `egglog_peer RULES TERMS ITERATIONS`, one thread, and on transitive closure:
//! `egglog_peer reach NODES EDGES`. The program is made
//! from the same files that egraph and egg read.
use std::time::Instant;

fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("VmHWM: 0 kB");
    line.split_whitespace().nth(1).and_then(|v| v.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Operators get names that egglog takes, variables lose their question mark, leaves become calls.
fn translate(text: &str) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut out = String::new();
    let mut head = false;
    for token in spaced.split_whitespace() {
        let word = match token {
            "(" | ")" => token.to_string(),
            _ if head => format!("M{}", match token { "+" => "add", "-" => "sub", "*" => "mul", "/" => "div", t => t }),
            t if t.starts_with('?') => t[1..].to_string(),
            t if t.parse::<i64>().is_ok() => format!("(Num {t})"),
            t => format!("(Sym \"{t}\")"),
        };
        head = token == "(";
        out.push_str(&word);
        out.push(' ');
    }
    out
}

/// Transitive closure of a chain (edges 0) or of random edges, as `egraph reach` has it, until nothing changes.
fn reach(nodes: u64, random: u64) {
    let mut x = 88172645463325252u64;
    let mut next = move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    };
    let mut program = String::from("(relation edge (i64 i64))\n(relation path (i64 i64))\n(rule ((edge a b)) ((path a b)))\n(rule ((path a b) (edge b c)) ((path a c)))\n");
    for i in 0..random.max(nodes - 1) {
        let (a, b) = if random > 0 { (next() % nodes, next() % nodes) } else { (i, i + 1) };
        program.push_str(&format!("(edge {a} {b})\n"));
    }
    let mut g = egglog::EGraph::default();
    g.parse_and_run_program(None, &program).expect("program");
    let start = Instant::now();
    g.parse_and_run_program(None, "(run 1000000)").expect("run");
    let time = start.elapsed().as_secs_f64();
    let start = Instant::now();
    g.parse_and_run_program(None, "(run 1)").expect("run");
    println!("egglog reach/{nodes}/{random} seconds {time:.4} tuples {} again {:.6} peakMB {}", g.num_tuples(), start.elapsed().as_secs_f64(), peak_mb());
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().map(String::as_str) == Some("reach") {
        return reach(args[1].parse().expect("nodes"), args[2].parse().expect("edges"));
    }
    let mut program = String::from("(datatype Math (Num i64) (Sym String)");
    for op in ["add", "sub", "mul", "div", "pow", "d", "i"] {
        program.push_str(&format!(" (M{op} Math Math)"));
    }
    for op in ["ln", "sqrt", "sin", "cos"] {
        program.push_str(&format!(" (M{op} Math)"));
    }
    program.push_str(")\n");
    for line in std::fs::read_to_string(&args[0]).expect("rules").lines() {
        if line.trim_start().starts_with(';') || line.trim().is_empty() {
            continue;
        }
        let (left, right) = line.split_once(':').expect("name:").1.split_once("=>").expect("=>");
        program.push_str(&format!("(rewrite {} {})\n", translate(left), translate(right)));
    }
    for (i, line) in std::fs::read_to_string(&args[1]).expect("terms").lines().enumerate() {
        program.push_str(&format!("(let $t{i} {})\n", translate(line)));
    }
    let mut g = egglog::EGraph::default();
    g.parse_and_run_program(None, &program).expect("program");
    let start = Instant::now();
    g.parse_and_run_program(None, &format!("(run {})", args[2])).expect("run");
    println!("egglog math{} seconds {:.4} nodes {} peakMB {}", args[2], start.elapsed().as_secs_f64(), g.num_tuples(), peak_mb());
}
