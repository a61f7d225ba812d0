/**
 * The inventory service: reserves stock for orders and gives it back.
 *
 * <p>The database is the truth about stock; the gate in front of it only spares it work. Nothing here is static, so that
 * several services can live in one JVM.
 */
@NullMarked
package dev.waybill.inventory;

import org.jspecify.annotations.NullMarked;
