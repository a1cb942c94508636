import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

const COMPONENTS = "#/components/schemas/";

/**
 * Converts schemas to JSON Schema 2020-12, which OpenAPI 3.1 uses. Those with an `id` are added to `components`, and
 * referred to.
 */
export class SchemaConverter {
  readonly components: Record<string, JsonSchema> = {};

  /** What a caller sends. */
  request(schema: z.ZodType): JsonSchema {
    return this.convert(schema, "input");
  }

  /** What the server sends: an object has no other fields than these. */
  response(schema: z.ZodType): JsonSchema {
    return this.convert(schema, "output");
  }

  private convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    // As a property, so that a schema with an id becomes a reference itself.
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ value: schema }), {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema._zod.def.type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
        // zod's largest integer is no limit of this API.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    });
    for (const [id, definition] of Object.entries($defs)) this.components[id] = toComponent(definition);
    return toComponent(properties?.value ?? {});
  }
}

function toComponent(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`);
  const { id: _id, ...component } = JSON.parse(text) as JsonSchema;
  return component;
}
