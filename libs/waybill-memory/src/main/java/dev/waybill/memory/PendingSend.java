package dev.waybill.memory;

import dev.waybill.message.Message;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport.SendResults;
import java.time.Instant;

/**
 * One message without a result.
 *
 * @param index its place in the batch
 * @param answer when the broker answers, by the broker's clock
 * @param deadline when nobody waits for the answer any longer
 */
record PendingSend(Message message, int index, SendResults results, Instant answer, Instant deadline) {

    void report(SendResult result) {
        results.report(index, result);
    }
}
