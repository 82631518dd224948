//! egglog on the math benchmark: `egglog_peer RULES TERMS ITERATIONS`, one thread. The program is made
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

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
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
