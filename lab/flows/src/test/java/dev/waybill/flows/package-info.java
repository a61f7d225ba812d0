/** The reference services together, on real servers: their main flow, and what breaks it. */
@org.jspecify.annotations.NullMarked
package dev.waybill.flows;
