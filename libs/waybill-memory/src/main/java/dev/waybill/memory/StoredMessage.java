package dev.waybill.memory;

import dev.waybill.message.Message;
import java.time.Instant;

/**
 * A message as the broker keeps it.
 *
 * @param brokerId the broker's own id
 * @param arrivedAt when it was stored, by the broker's clock
 * @param message what was sent
 */
public record StoredMessage(String brokerId, Instant arrivedAt, Message message) {}
