package dev.waybill.bench.contenders;

import dev.waybill.contender.BenchOrder;
import dev.waybill.contender.Contender;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.contender.ContenderMain;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.rocketmq.common.message.Message;
import org.jspecify.annotations.Nullable;

/** The broker alone: what is "committed" waits in memory, ready to be written, and its relay sends it in the client's fastest confirmed mode. */
public final class RawBrokerContender implements Contender {

    private final List<RawRabbitMq.Ready> rabbits = new ArrayList<>();
    private final List<Message> rockets = new ArrayList<>();
    private @Nullable RawRabbitMq rabbit;
    private @Nullable RawRocketMq rocket;

    public static void main(String[] arguments) {
        ContenderMain.run(new RawBrokerContender(), arguments);
    }

    @Override
    public void open(ContenderConfig config) {
        if (BrokerClients.isRabbit(config)) {
            rabbit = new RawRabbitMq(config);
        } else {
            rocket = new RawRocketMq(config);
        }
    }

    @Override
    public void commit(List<BenchOrder> orders) {
        if (rocket == null) {
            orders.forEach(order -> rabbits.add(RawRabbitMq.ready(order)));
        } else {
            RawRocketMq there = rocket;
            orders.forEach(order -> rockets.add(there.ready(order)));
        }
    }

    @Override
    public void startRelay() {
        if (rabbit != null) {
            rabbits.forEach(rabbit::send);
            rabbit.awaitConfirms();
        } else {
            Objects.requireNonNull(rocket).send(rockets);
        }
        rabbits.clear();
        rockets.clear();
    }

    @Override
    public void stopRelay() {}

    @Override
    public long sent() {
        return rabbit != null
                ? rabbit.confirmed()
                : Objects.requireNonNull(rocket).confirmed();
    }

    @Override
    public long unsettled() {
        return rabbits.size() + rockets.size() + (rabbit == null ? 0 : rabbit.unconfirmed());
    }

    @Override
    public void close() {
        if (rabbit != null) {
            rabbit.close();
        } else {
            Objects.requireNonNull(rocket).close();
        }
    }
}
