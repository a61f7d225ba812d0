package dev.waybill.peers.gruelbox;

/** What is scheduled: a call of this, recorded in the table. Its return means that the broker has confirmed. */
public interface OrderSender {

    void send(String messageId, String body);
}
