/**
 * The inventory service: reserves stock for orders and releases it.
 *
 * <p>The database decides about stock; the gate in front of it only saves work. Nothing here is static, so that several
 * services can run in one JVM.
 */
@NullMarked
package dev.waybill.inventory;

import org.jspecify.annotations.NullMarked;
