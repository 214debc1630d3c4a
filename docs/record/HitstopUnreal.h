// Records a level of Unreal Engine 5 with hitstop.hpp: put the component on any actor, such as the game mode. Copy HitstopUnreal.h, HitstopUnreal.cpp and
// hitstop.hpp into a module of the project. Not tried in Unreal by the authors of Hitstop: compiled and run by the tests with stubs of its types.
//
// It writes every primitive component that collides, once when play begins and after each step of physics: shapes of simple collision, or the triangles of
// "use complex as simple"; poses, velocities, masses, collision channels, and the camera of the first player. The log is in centimetres with Z up; Y is negated,
// as Unreal's axes are left-handed. It has no contacts, as Chaos gives none with a depth. Landscapes, skeletal meshes and what has no body setup are left out
// with a warning in the output log.
#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"

#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "hitstop.hpp"

#include "HitstopUnreal.generated.h"

class UPrimitiveComponent;

UCLASS(ClassGroup = (Physics), meta = (BlueprintSpawnableComponent))
class UHitstopRecorder : public UActorComponent {
    GENERATED_BODY()

public:
    UHitstopRecorder();

    /** Relative to the project's Saved folder. */
    UPROPERTY(EditAnywhere, Category = "Hitstop")
    FString Path = TEXT("run.jsonl");

    /** Keeps this many seconds in memory instead of writing all; 0 writes all. */
    UPROPERTY(EditAnywhere, Category = "Hitstop")
    float KeepSeconds = 0;

    /** Writes the seconds that are kept. */
    UFUNCTION(BlueprintCallable, Category = "Hitstop")
    void Save();

    /** Adds a line of the game's own log to the frame to come. Component: what it is about, or none. */
    UFUNCTION(BlueprintCallable, Category = "Hitstop")
    void Message(const FString &Line, const UPrimitiveComponent *Component = nullptr);

    /** Adds a value of the game to the frame to come. */
    UFUNCTION(BlueprintCallable, Category = "Hitstop")
    void Value(const FString &Name, double Amount, const UPrimitiveComponent *Component = nullptr);

    /** Adds a drawing to the frame to come, in Unreal's axes: a point, a line of two, or a polyline of up to 256, with a sphere of Radius at each. */
    UFUNCTION(BlueprintCallable, Category = "Hitstop")
    void Mark(const TArray<FVector> &Points, const FString &Name, const UPrimitiveComponent *Component = nullptr, float Radius = 0);

    /**
     * For pushes, queries and ignored pairs of the game's own, and for what those above have no argument for (levels, flags, states, colours), in the log's
     * axes: see Hitstop(FVector). Null before play begins.
     */
    hitstop::Recorder *Log() { return Recorder.get(); }

    /** The component's number in the log; hitstop::Query::NONE if it is not in it. */
    uint32 Number(const UPrimitiveComponent *Component) const;

    virtual void BeginPlay() override;
    virtual void EndPlay(const EEndPlayReason::Type Reason) override;
    virtual void TickComponent(float DeltaTime, ELevelTick TickType, FActorComponentTickFunction *Function) override;

private:
    struct FKnown {
        /** A number of an object of Unreal is used again once it is gone. */
        TWeakObjectPtr<UPrimitiveComponent> Component;
        uint32 Number;
        hitstop::Motion Motion;
        /** At the frame before. */
        FVector Location;
    };

    void Record();
    FKnown *Find(UPrimitiveComponent &Component);
    uint32 Add(UPrimitiveComponent &Component, hitstop::Motion Motion);
    void RecordCamera();
    void Note(const std::string &What);

    std::ofstream File;
    std::unique_ptr<hitstop::Recorder> Recorder;
    std::map<uint32, FKnown> Known;
    std::set<std::string> Names, Notes;
    double Time = 0, Before = 0;
    bool bHasCamera = false;
};

/** Vectors and rotations of Unreal in the axes of the log. */
inline hitstop::Vec3 Hitstop(const FVector &V) { return {V.X, -V.Y, V.Z}; }
inline hitstop::Quat Hitstop(const FQuat &Q) { return {-Q.X, Q.Y, -Q.Z, Q.W}; }
