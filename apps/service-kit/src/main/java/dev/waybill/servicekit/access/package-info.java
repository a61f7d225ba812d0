/**
 * Who may do what: tokens, the rules by path, and what an open service refuses.
 *
 * <p>A service starts with tokens, or open on a loopback address, or not at all. No secret and no token is ever logged.
 */
@NullMarked
package dev.waybill.servicekit.access;

import org.jspecify.annotations.NullMarked;
