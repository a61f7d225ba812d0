package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InProcessBucketStoreTest implements BucketStoreContract {

    private final ManualTime time = new ManualTime();
    private final InProcessBucketStore buckets = new InProcessBucketStore(1000, time);

    @Override
    public BucketStore store() {
        return buckets;
    }

    @Override
    public void pass(String key, Duration by) {
        time.advance(by);
    }

    @Test
    void bucketsThatAreFullAgainAreForgotten() {
        TokenBucket quick = new TokenBucket(100, 100);
        for (int i = 0; i < 5000; i++) {
            buckets.take("k" + i, quick, 1, 1);
            time.advance(Duration.ofMillis(10));
        }
        assertThat(buckets.size()).isLessThan(1000);
    }

    /** Its clock never steps back: an older time comes from a thread that was overtaken. */
    @Test
    void anOlderTimeNeverRewindsTheBucket() {
        String key = BucketStoreContract.key();
        buckets.take(key, SLOW, 10, 10);
        time.advance(Duration.ofSeconds(-100));
        assertThat(buckets.take(key, SLOW, 1, 1)).isInstanceOf(TakeResult.Refused.class);
        time.advance(Duration.ofSeconds(100));
        assertThat(buckets.take(key, SLOW, 1, 1)).isInstanceOf(TakeResult.Refused.class);
        time.advance(Duration.ofSeconds(100));
        assertThat(buckets.take(key, SLOW, 1, 1)).isEqualTo(new TakeResult.Granted(1, 0));
    }
}
