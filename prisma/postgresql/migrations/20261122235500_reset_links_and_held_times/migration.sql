-- A link that a visitor asked for leaves the consultant's in force, and an address without an account gets a row, too.
-- Links from before count as the consultant's.
ALTER TABLE "password_resets" ALTER COLUMN "userId" DROP NOT NULL;
ALTER TABLE "password_resets" ADD COLUMN "isMailed" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "held_times" (
    "userId" INTEGER NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "minutes" INTEGER NOT NULL,

    CONSTRAINT "held_times_pkey" PRIMARY KEY ("userId")
);

-- AddForeignKey
ALTER TABLE "held_times" ADD CONSTRAINT "held_times_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
