package dev.waybill.bench.contenders;

import dev.waybill.contender.Contender;
import dev.waybill.contender.Order;
import dev.waybill.contender.Stage;
import dev.waybill.contender.Venue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.rocketmq.common.message.Message;
import org.jspecify.annotations.Nullable;

/** The broker alone: what is "committed" waits in memory, ready to be written, and its relay sends it in the client's fastest confirmed mode. */
public final class RawBrokerContender implements Contender {

    private final List<RawRabbit.Ready> rabbits = new ArrayList<>();
    private final List<Message> rockets = new ArrayList<>();
    private @Nullable RawRabbit rabbit;
    private @Nullable RawRocket rocket;

    public static void main(String[] arguments) {
        Stage.run(new RawBrokerContender(), arguments);
    }

    @Override
    public void open(Venue venue) {
        if (Brokers.isRabbit(venue)) {
            rabbit = new RawRabbit(venue);
        } else {
            rocket = new RawRocket(venue);
        }
    }

    @Override
    public void commit(List<Order> orders) {
        if (rocket == null) {
            orders.forEach(order -> rabbits.add(RawRabbit.ready(order)));
        } else {
            RawRocket there = rocket;
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
