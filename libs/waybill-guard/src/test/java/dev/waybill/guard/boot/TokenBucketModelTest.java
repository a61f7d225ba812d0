package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.boot.TakeResult.Granted;
import dev.waybill.guard.boot.TakeResult.Refused;
import dev.waybill.guard.running.ManualTime;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The bucket against a model in exact decimals, over random rates, capacities, costs, slices and gaps. */
class TokenBucketModelTest {

    record Step(long gapMillis, long cost, long extra) {}

    record Scenario(TokenBucket bucket, List<Step> steps) {}

    /** How far doubles may be away from the exact sum, in tokens. */
    static final BigDecimal ROUNDING = new BigDecimal("0.00001");

    /** The specification in a few lines: exact, slow, and written without looking at the store. */
    static final class Model {

        private final BigDecimal rate;
        private final BigDecimal capacity;
        private BigDecimal tokens;

        Model(TokenBucket bucket) {
            rate = new BigDecimal(bucket.rate());
            capacity = BigDecimal.valueOf(bucket.capacity());
            tokens = capacity;
        }

        void pass(long millis) {
            BigDecimal come =
                    rate.multiply(BigDecimal.valueOf(Math.max(0, millis))).movePointLeft(3);
            tokens = tokens.add(come, MathContext.DECIMAL128).min(capacity);
        }

        void holds(double now) {
            tokens = new BigDecimal(now);
        }

        double tokensNow() {
            return tokens.doubleValue();
        }

        void check(Step step, TakeResult take) {
            BigDecimal cost = BigDecimal.valueOf(step.cost);
            BigDecimal over = tokens.subtract(cost);
            if (take instanceof Granted granted) {
                assertThat(over).isGreaterThanOrEqualTo(ROUNDING.negate());
                BigDecimal most = BigDecimal.valueOf(step.cost + step.extra)
                        .min(tokens.add(ROUNDING).setScale(0, RoundingMode.FLOOR))
                        .max(cost);
                assertThat(BigDecimal.valueOf(granted.tokens())).isBetween(cost, most);
                if (most.compareTo(tokens.subtract(ROUNDING)) < 0) {
                    assertThat(BigDecimal.valueOf(granted.tokens())).isEqualByComparingTo(most);
                }
                tokens = tokens.subtract(BigDecimal.valueOf(granted.tokens())).max(BigDecimal.ZERO);
                assertThat(BigDecimal.valueOf(granted.remaining()))
                        .isBetween(tokens.subtract(BigDecimal.ONE), tokens.add(ROUNDING));
            } else if (take instanceof Refused refused) {
                assertThat(over).isLessThan(ROUNDING);
                BigDecimal missing = cost.min(capacity).subtract(tokens).max(BigDecimal.ZERO);
                BigDecimal wait = missing.movePointRight(3).divide(rate, MathContext.DECIMAL128);
                BigDecimal slack = BigDecimal.ONE
                        .add(wait.multiply(new BigDecimal("0.000001")))
                        .add(ROUNDING.movePointRight(3).divide(rate, MathContext.DECIMAL128));
                assertThat(BigDecimal.valueOf(refused.retryAfterMillis()))
                        .isBetween(wait.subtract(slack), wait.add(slack).max(BigDecimal.ONE));
            }
        }
    }

    @Provide
    static Arbitrary<Scenario> scenarios() {
        return scenarios(100);
    }

    static Arbitrary<Scenario> scenarios(int mostSteps) {
        Arbitrary<Double> rates = Arbitraries.oneOf(
                Arbitraries.doubles().between(0.01, 5000).ofScale(3),
                Arbitraries.integers().between(1, 2000).map(i -> (double) i));
        Arbitrary<Long> capacities = Arbitraries.longs().between(1, 5000);
        return Combinators.combine(rates, capacities).as(TokenBucket::new).flatMap(bucket -> {
            long fill = (long) (bucket.capacity() / bucket.rate() * 1000) + 1;
            Arbitrary<Long> gaps = Arbitraries.oneOf(
                    Arbitraries.just(0L),
                    Arbitraries.longs().between(0, 20),
                    Arbitraries.longs().between(0, 3 * fill),
                    Arbitraries.longs().between(-5000, 0));
            Arbitrary<Long> costs = Arbitraries.oneOf(
                    Arbitraries.just(1L),
                    Arbitraries.longs().between(1, bucket.capacity()),
                    Arbitraries.longs().between(1, bucket.capacity() + 2));
            Arbitrary<Long> extras =
                    Arbitraries.oneOf(Arbitraries.just(0L), Arbitraries.longs().between(0, bucket.capacity()));
            return Combinators.combine(gaps, costs, extras)
                    .as(Step::new)
                    .list()
                    .ofMinSize(1)
                    .ofMaxSize(mostSteps)
                    .map(steps -> new Scenario(bucket, steps));
        });
    }

    @Property(tries = 1000)
    void theInProcessBucketFollowsTheModel(@ForAll("scenarios") Scenario scenario) {
        ManualTime time = new ManualTime();
        InProcessBucketStore buckets = new InProcessBucketStore(10, time);
        Model model = new Model(scenario.bucket);
        long latest = Long.MIN_VALUE;
        for (Step step : scenario.steps) {
            time.advance(Duration.ofMillis(step.gapMillis));
            long now = time.millis();
            model.pass(latest == Long.MIN_VALUE ? 0 : now - latest);
            latest = Math.max(latest, now);
            model.check(step, buckets.take("k", scenario.bucket, step.cost, step.cost + step.extra));
        }
    }
}
