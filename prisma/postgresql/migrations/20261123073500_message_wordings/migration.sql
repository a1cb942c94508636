-- CreateTable
CREATE TABLE "message_wordings" (
    "name" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "message_wordings_pkey" PRIMARY KEY ("name")
);
