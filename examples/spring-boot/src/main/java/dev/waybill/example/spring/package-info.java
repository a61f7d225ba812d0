/**
 * Waybill in a Spring Boot application, as the README shows it.
 *
 * <p>Rule: what stands between the example's marks is the README's text, and a test says so.
 */
@NullMarked
package dev.waybill.example.spring;

import org.jspecify.annotations.NullMarked;
