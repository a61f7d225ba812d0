/**
 * Breaks things: kills processes, stops brokers, presses on them, and checks that what arrived is what was committed.
 *
 * <p>Rule: real servers and real processes; bounded in time and count; figures are printed beside what they are held to.
 */
package dev.waybill.faults;
