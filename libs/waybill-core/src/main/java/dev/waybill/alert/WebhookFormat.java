package dev.waybill.alert;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
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

        /** DingTalk answers 200 also when it shows nobody the message: {@code {"errcode":310000,"errmsg":"keywords not in content"}}. */
        @Override
        @Nullable String refusal(byte[] answer) {
            Map<String, String> told = new HashMap<>();
            try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), answer)) {
                for (String name = first(json); name != null; name = json.nextName()) {
                    json.nextToken();
                    told.put(name, json.getValueAsString(""));
                    json.skipChildren();
                }
            } catch (JacksonException e) {
                return "it did not answer as a robot of DingTalk does";
            }
            String code = told.getOrDefault("errcode", "none");
            return code.equals("0") ? null : "errcode=" + code + " errmsg=" + told.getOrDefault("errmsg", "");
        }

        private @Nullable String first(JsonParser json) {
            return json.nextToken() == JsonToken.START_OBJECT ? json.nextName() : null;
        }
    };

    private static final JsonFactory FACTORY = new JsonFactory();

    abstract void write(JsonGenerator json, AlertNotice notice);

    /** Why an answer that looks well says that the notice was not taken; null when it was. */
    @Nullable String refusal(byte[] answer) {
        return null;
    }

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
