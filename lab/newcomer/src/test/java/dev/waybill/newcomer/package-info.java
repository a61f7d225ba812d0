/**
 * Applications outside this repository, as somebody writes them who has read the documents and nothing else.
 *
 * <p>Rule: their code and configuration come from the documents' examples; what is added is named after a mistake.
 */
@NullMarked
package dev.waybill.newcomer;

import org.jspecify.annotations.NullMarked;
