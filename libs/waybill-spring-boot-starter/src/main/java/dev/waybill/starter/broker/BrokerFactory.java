package dev.waybill.starter.broker;

import dev.waybill.starter.WaybillProperties.Broker;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;

/** Makes the parts of one broker, whose library is on the class path. */
interface BrokerFactory {

    Broker broker();

    /** Makes the transport; the broker need not be there yet. */
    Transport transport();

    /** Makes the subscriptions; the broker need not be there yet. */
    Subscriptions subscriptions();
}
