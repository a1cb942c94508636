-- Since when the cancellations of a family count: its password was replaced then.
ALTER TABLE "users" ADD COLUMN "cancellationsCountedFrom" TIMESTAMP(3);
