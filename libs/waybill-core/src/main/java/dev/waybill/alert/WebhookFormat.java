package dev.waybill.alert;

import java.io.ByteArrayOutputStream;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** How a notice is written into a webhook's body. */
public enum WebhookFormat {
    /** An object with the notice's parts: {@code kind, scope, alert, rule, severity, step, detail, at}. */
    JSON {
        @Override
        void write(JsonGenerator json, AlertNotice notice) {
            json.writeStringProperty("kind", notice.kind().name().toLowerCase(Locale.ROOT));
            json.writeStringProperty("scope", notice.scope());
            json.writeStringProperty("alert", notice.key());
            json.writeStringProperty("rule", notice.rule());
            json.writeStringProperty("severity", notice.severity().name().toLowerCase(Locale.ROOT));
            json.writeNumberProperty("step", notice.step());
            json.writeStringProperty("detail", notice.detail());
            json.writeStringProperty("at", notice.at().toString());
        }
    },
    /** A text message for a robot of DingTalk. It always has {@code [ALERT]}, which can be the robot's keyword. */
    DINGTALK {
        @Override
        void write(JsonGenerator json, AlertNotice notice) {
            json.writeStringProperty("msgtype", "text");
            json.writeObjectPropertyStart("text");
            json.writeStringProperty(
                    "content",
                    "[ALERT] " + notice.kind().name().toLowerCase(Locale.ROOT) + " " + notice.severity() + " "
                            + notice.scope() + " " + notice.key() + "\n" + notice.detail() + "\n" + notice.at());
            json.writeEndObject();
        }
    };

    private static final JsonFactory FACTORY = new JsonFactory();

    abstract void write(JsonGenerator json, AlertNotice notice);

    byte[] body(AlertNotice notice) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            write(json, notice);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }
}
