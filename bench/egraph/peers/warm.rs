//! egg's own tests of math and lambda, each many times in one process, so that their times are not those of
//! cold caches and first page faults. `run.sh` puts this file beside them (tests/warm.rs) in a copy of egg;
//! EGG_BENCH_CSV gets a line for every time, as from the tests themselves.
#[path = "lambda.rs"]
mod lambda;
#[path = "math.rs"]
mod math;

#[test]
fn warm() {
    let rounds: usize = std::env::var("EGG_BENCH_ROUNDS").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    for round in 0..rounds {
        math::math_simplify_add();
        math::math_powers();
        math::math_simplify_const();
        math::math_simplify_factor();
        math::math_diff_same();
        math::math_diff_different();
        math::math_diff_simple1();
        math::math_diff_simple2();
        math::math_diff_ln();
        math::diff_power_simple();
        math::integ_one();
        math::integ_sin();
        math::integ_x();
        math::integ_part1();
        math::integ_part2();
        math::integ_part3();
        lambda::lambda_under();
        lambda::lambda_if_elim();
        lambda::lambda_let_simple();
        lambda::lambda_compose();
        lambda::lambda_if_simple();
        lambda::lambda_compose_many();
        lambda::lambda_if();
        if round % 8 == 0 {
            math::math_simplify_root();
            math::diff_power_harder();
            lambda::lambda_function_repeat();
            lambda::lambda_fib();
        }
    }
}
