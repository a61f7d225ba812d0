/**
 * The inbox's shortcut in Redis.
 *
 * <p>Rule: Redis may forget, lag or be gone; consumption neither waits for it nor believes more than it says.
 */
@NullMarked
package dev.waybill.starter.redis;

import org.jspecify.annotations.NullMarked;
