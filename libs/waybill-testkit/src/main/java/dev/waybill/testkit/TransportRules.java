package dev.waybill.testkit;

import dev.waybill.message.Destination;
import dev.waybill.message.Message;
import dev.waybill.testkit.TransportFixture.Arrived;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What the rules of transports share: a broker, and transports that are closed after the test. */
interface TransportRules {

    Duration TIMEOUT = Duration.ofSeconds(10);
    Duration RECOVERY = Duration.ofSeconds(30);

    TransportFixture fixture();

    /** A transport that is not started, and is closed after the test. */
    Transport transport(Duration sendTimeout);

    default Transport started(Duration sendTimeout) {
        Transport transport = transport(sendTimeout);
        transport.start();
        return transport;
    }

    default SendResultCollector send(Transport transport, List<Message> batch) {
        return SendResultCollector.send(transport, batch);
    }

    /** Waits for so many messages and returns the ids of all that have arrived. */
    default Set<String> arrivedIds(Destination to, int atLeast) {
        return fixture().arrived(to, atLeast).stream().map(Arrived::eventId).collect(Collectors.toSet());
    }
}
