import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

const COMPONENT_REF_PREFIX = "#/components/schemas/";

/**
 * Converts schemas to JSON Schema 2020-12, which OpenAPI 3.1 uses. Schemas with an `id` are added to `components` and
 * referenced.
 */
export class JsonSchemaConverter {
  readonly components: Record<string, JsonSchema> = {};

  /** Converts the schema of a request. */
  convertRequest(schema: z.ZodType): JsonSchema {
    return this.convert(schema, "input");
  }

  /** Converts the schema of a response. Its objects have no additional fields. */
  convertResponse(schema: z.ZodType): JsonSchema {
    return this.convert(schema, "output");
  }

  private convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    // Converted as a property, so that a schema with an id becomes a reference.
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ value: schema }), {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema._zod.def.type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
        // zod's largest integer is not a limit of this API.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    });
    for (const [id, definition] of Object.entries($defs)) this.components[id] = toComponentSchema(definition);
    return toComponentSchema(properties?.value ?? {});
  }
}

function toComponentSchema(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENT_REF_PREFIX}`);
  const { id: _id, ...component } = JSON.parse(text) as JsonSchema;
  return component;
}
