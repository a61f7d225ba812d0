package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.message.Message;
import dev.waybill.message.SampleEvent;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What a message for RabbitMQ takes beside its body: a look whether AMQP can carry it, and its properties. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RabbitMqMessageBench {

    private static final int FRAME_MAX = 131_072;

    private final Message message = SampleEvent.message();
    private long stamp;

    @Benchmark
    public BasicProperties properties() {
        String objection = RabbitMqMessageMapper.objection(message, FRAME_MAX);
        if (objection != null) {
            throw new IllegalStateException(objection);
        }
        return RabbitMqMessageMapper.of(message.event(), ++stamp);
    }
}
