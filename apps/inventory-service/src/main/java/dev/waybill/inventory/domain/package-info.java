/**
 * What reserving, releasing, receiving and reconciling mean.
 *
 * <p>Knows no SQL, no Redis and no broker: those stand behind StockGate, StockRepository, ReservationRepository and StockEventPublisher.
 */
@NullMarked
package dev.waybill.inventory.domain;

import org.jspecify.annotations.NullMarked;
