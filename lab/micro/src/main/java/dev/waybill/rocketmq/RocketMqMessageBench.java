package dev.waybill.rocketmq;

import dev.waybill.message.SampleEvent;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.common.message.Message;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A message for RocketMQ: the look whether it can be carried, and the client's own message. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RocketMqMessageBench {

    private final dev.waybill.message.Message message = SampleEvent.message();

    @Benchmark
    public Message message() {
        RocketMqMessageMapper form = RocketMqMessageMapper.of(message);
        if (form.objection() != null) {
            throw new IllegalStateException(form.objection());
        }
        return form.fill(message);
    }
}
